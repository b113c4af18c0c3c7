#include "CWebAssets.h"

#define HTML "text/html; charset=utf-8"
#define CSS "text/css; charset=utf-8"
#define JAVASCRIPT "text/javascript; charset=utf-8"

// A directive cannot stand in a macro, so each file of Web/ has two entries: its bytes here, its row below. The parts
// of the style sheet are one file for the browser, so that they cost one request; later parts take precedence.

static const unsigned char acknowledge_js[] = {
#embed "../../Web/acknowledge.js"
};
static const unsigned char answers_js[] = {
#embed "../../Web/answers.js"
};
static const unsigned char api_js[] = {
#embed "../../Web/api.js"
};
static const unsigned char app_js[] = {
#embed "../../Web/app.js"
};
static const unsigned char badge_js[] = {
#embed "../../Web/badge.js"
};
static const unsigned char chart_js[] = {
#embed "../../Web/chart.js"
};
static const unsigned char columns_js[] = {
#embed "../../Web/columns.js"
};
static const unsigned char commands_js[] = {
#embed "../../Web/commands.js"
};
static const unsigned char controls_js[] = {
#embed "../../Web/controls.js"
};
static const unsigned char creation_stack_js[] = {
#embed "../../Web/creation-stack.js"
};
static const unsigned char dom_js[] = {
#embed "../../Web/dom.js"
};
static const unsigned char drops_js[] = {
#embed "../../Web/drops.js"
};
static const unsigned char focus_js[] = {
#embed "../../Web/focus.js"
};
static const unsigned char format_js[] = {
#embed "../../Web/format.js"
};
static const unsigned char former_js[] = {
#embed "../../Web/former.js"
};
static const unsigned char freeze_js[] = {
#embed "../../Web/freeze.js"
};
static const unsigned char headline_js[] = {
#embed "../../Web/headline.js"
};
static const unsigned char health_js[] = {
#embed "../../Web/health.js"
};
static const unsigned char heap_captures_js[] = {
#embed "../../Web/heap-captures.js"
};
static const unsigned char heap_leaks_js[] = {
#embed "../../Web/heap-leaks.js"
};
static const unsigned char heap_paths_js[] = {
#embed "../../Web/heap-paths.js"
};
static const unsigned char heap_tasks_js[] = {
#embed "../../Web/heap-tasks.js"
};
static const unsigned char heap_tree_js[] = {
#embed "../../Web/heap-tree.js"
};
static const unsigned char heap_view_js[] = {
#embed "../../Web/heap-view.js"
};
static const unsigned char history_js[] = {
#embed "../../Web/history.js"
};
static const unsigned char index_html[] = {
#embed "../../Web/index.html"
};
static const unsigned char instance_panel_js[] = {
#embed "../../Web/instance-panel.js"
};
static const unsigned char instances_view_js[] = {
#embed "../../Web/instances-view.js"
};
static const unsigned char intake_js[] = {
#embed "../../Web/intake.js"
};
static const unsigned char keys_js[] = {
#embed "../../Web/keys.js"
};
static const unsigned char known_js[] = {
#embed "../../Web/known.js"
};
static const unsigned char lane_js[] = {
#embed "../../Web/lane.js"
};
static const unsigned char late_table_js[] = {
#embed "../../Web/late-table.js"
};
static const unsigned char limits_view_js[] = {
#embed "../../Web/limits-view.js"
};
static const unsigned char links_js[] = {
#embed "../../Web/links.js"
};
static const unsigned char marks_view_js[] = {
#embed "../../Web/marks-view.js"
};
static const unsigned char notice_js[] = {
#embed "../../Web/notice.js"
};
static const unsigned char overdue_group_js[] = {
#embed "../../Web/overdue-group.js"
};
static const unsigned char overdue_view_js[] = {
#embed "../../Web/overdue-view.js"
};
static const unsigned char overview_view_js[] = {
#embed "../../Web/overview-view.js"
};
static const unsigned char plot_js[] = {
#embed "../../Web/plot.js"
};
static const unsigned char process_view_js[] = {
#embed "../../Web/process-view.js"
};
static const unsigned char rail_js[] = {
#embed "../../Web/rail.js"
};
static const unsigned char retain_path_js[] = {
#embed "../../Web/retain-path.js"
};
static const unsigned char retain_search_js[] = {
#embed "../../Web/retain-search.js"
};
static const unsigned char retain_words_js[] = {
#embed "../../Web/retain-words.js"
};
static const unsigned char route_js[] = {
#embed "../../Web/route.js"
};
static const unsigned char scenarios_view_js[] = {
#embed "../../Web/scenarios-view.js"
};
static const unsigned char sparkline_js[] = {
#embed "../../Web/sparkline.js"
};
static const unsigned char stack_js[] = {
#embed "../../Web/stack.js"
};
static const unsigned char steady_order_js[] = {
#embed "../../Web/steady-order.js"
};
static const unsigned char store_js[] = {
#embed "../../Web/store.js"
};
static const unsigned char stream_js[] = {
#embed "../../Web/stream.js"
};
static const unsigned char style_css[] = {
#embed "../../Web/style/colours.css" suffix(,)
#embed "../../Web/style/text.css" suffix(,)
#embed "../../Web/style/frame.css" suffix(,)
#embed "../../Web/style/controls.css" suffix(,)
#embed "../../Web/style/names.css" suffix(,)
#embed "../../Web/style/overview.css" suffix(,)
#embed "../../Web/style/leak.css" suffix(,)
#embed "../../Web/style/chart.css" suffix(,)
#embed "../../Web/style/table.css" suffix(,)
#embed "../../Web/style/long-list.css" suffix(,)
#embed "../../Web/style/timeline.css" suffix(,)
#embed "../../Web/style/process.css" suffix(,)
#embed "../../Web/style/heap.css" suffix(,)
#embed "../../Web/style/acknowledge.css" suffix(,)
#embed "../../Web/style/keys.css" suffix(,)
#embed "../../Web/style/panel.css" suffix(,)
#embed "../../Web/style/retain-path.css" suffix(,)
#embed "../../Web/style/scenarios.css" suffix(,)
#embed "../../Web/style/narrow.css" suffix(,)
};
static const unsigned char table_js[] = {
#embed "../../Web/table.js"
};
static const unsigned char time_window_js[] = {
#embed "../../Web/time-window.js"
};
static const unsigned char timeline_view_js[] = {
#embed "../../Web/timeline-view.js"
};
static const unsigned char token_kinds_js[] = {
#embed "../../Web/token-kinds.js"
};
static const unsigned char tokens_view_js[] = {
#embed "../../Web/tokens-view.js"
};
static const unsigned char types_view_js[] = {
#embed "../../Web/types-view.js"
};
static const unsigned char unknown_view_js[] = {
#embed "../../Web/unknown-view.js"
};
static const unsigned char verdict_feed_js[] = {
#embed "../../Web/verdict-feed.js"
};
static const unsigned char views_js[] = {
#embed "../../Web/views.js"
};
static const unsigned char virtual_rows_js[] = {
#embed "../../Web/virtual-rows.js"
};

static const struct lt_web_asset assets[] = {
    {"/acknowledge.js", JAVASCRIPT, acknowledge_js, sizeof acknowledge_js},
    {"/answers.js", JAVASCRIPT, answers_js, sizeof answers_js},
    {"/api.js", JAVASCRIPT, api_js, sizeof api_js},
    {"/app.js", JAVASCRIPT, app_js, sizeof app_js},
    {"/badge.js", JAVASCRIPT, badge_js, sizeof badge_js},
    {"/chart.js", JAVASCRIPT, chart_js, sizeof chart_js},
    {"/columns.js", JAVASCRIPT, columns_js, sizeof columns_js},
    {"/commands.js", JAVASCRIPT, commands_js, sizeof commands_js},
    {"/controls.js", JAVASCRIPT, controls_js, sizeof controls_js},
    {"/creation-stack.js", JAVASCRIPT, creation_stack_js, sizeof creation_stack_js},
    {"/dom.js", JAVASCRIPT, dom_js, sizeof dom_js},
    {"/drops.js", JAVASCRIPT, drops_js, sizeof drops_js},
    {"/focus.js", JAVASCRIPT, focus_js, sizeof focus_js},
    {"/format.js", JAVASCRIPT, format_js, sizeof format_js},
    {"/former.js", JAVASCRIPT, former_js, sizeof former_js},
    {"/freeze.js", JAVASCRIPT, freeze_js, sizeof freeze_js},
    {"/headline.js", JAVASCRIPT, headline_js, sizeof headline_js},
    {"/health.js", JAVASCRIPT, health_js, sizeof health_js},
    {"/heap-captures.js", JAVASCRIPT, heap_captures_js, sizeof heap_captures_js},
    {"/heap-leaks.js", JAVASCRIPT, heap_leaks_js, sizeof heap_leaks_js},
    {"/heap-paths.js", JAVASCRIPT, heap_paths_js, sizeof heap_paths_js},
    {"/heap-tasks.js", JAVASCRIPT, heap_tasks_js, sizeof heap_tasks_js},
    {"/heap-tree.js", JAVASCRIPT, heap_tree_js, sizeof heap_tree_js},
    {"/heap-view.js", JAVASCRIPT, heap_view_js, sizeof heap_view_js},
    {"/history.js", JAVASCRIPT, history_js, sizeof history_js},
    {"/index.html", HTML, index_html, sizeof index_html},
    {"/instance-panel.js", JAVASCRIPT, instance_panel_js, sizeof instance_panel_js},
    {"/instances-view.js", JAVASCRIPT, instances_view_js, sizeof instances_view_js},
    {"/intake.js", JAVASCRIPT, intake_js, sizeof intake_js},
    {"/keys.js", JAVASCRIPT, keys_js, sizeof keys_js},
    {"/known.js", JAVASCRIPT, known_js, sizeof known_js},
    {"/lane.js", JAVASCRIPT, lane_js, sizeof lane_js},
    {"/late-table.js", JAVASCRIPT, late_table_js, sizeof late_table_js},
    {"/limits-view.js", JAVASCRIPT, limits_view_js, sizeof limits_view_js},
    {"/links.js", JAVASCRIPT, links_js, sizeof links_js},
    {"/marks-view.js", JAVASCRIPT, marks_view_js, sizeof marks_view_js},
    {"/notice.js", JAVASCRIPT, notice_js, sizeof notice_js},
    {"/overdue-group.js", JAVASCRIPT, overdue_group_js, sizeof overdue_group_js},
    {"/overdue-view.js", JAVASCRIPT, overdue_view_js, sizeof overdue_view_js},
    {"/overview-view.js", JAVASCRIPT, overview_view_js, sizeof overview_view_js},
    {"/plot.js", JAVASCRIPT, plot_js, sizeof plot_js},
    {"/process-view.js", JAVASCRIPT, process_view_js, sizeof process_view_js},
    {"/rail.js", JAVASCRIPT, rail_js, sizeof rail_js},
    {"/retain-path.js", JAVASCRIPT, retain_path_js, sizeof retain_path_js},
    {"/retain-search.js", JAVASCRIPT, retain_search_js, sizeof retain_search_js},
    {"/retain-words.js", JAVASCRIPT, retain_words_js, sizeof retain_words_js},
    {"/route.js", JAVASCRIPT, route_js, sizeof route_js},
    {"/scenarios-view.js", JAVASCRIPT, scenarios_view_js, sizeof scenarios_view_js},
    {"/sparkline.js", JAVASCRIPT, sparkline_js, sizeof sparkline_js},
    {"/stack.js", JAVASCRIPT, stack_js, sizeof stack_js},
    {"/steady-order.js", JAVASCRIPT, steady_order_js, sizeof steady_order_js},
    {"/store.js", JAVASCRIPT, store_js, sizeof store_js},
    {"/stream.js", JAVASCRIPT, stream_js, sizeof stream_js},
    {"/style.css", CSS, style_css, sizeof style_css},
    {"/table.js", JAVASCRIPT, table_js, sizeof table_js},
    {"/time-window.js", JAVASCRIPT, time_window_js, sizeof time_window_js},
    {"/timeline-view.js", JAVASCRIPT, timeline_view_js, sizeof timeline_view_js},
    {"/token-kinds.js", JAVASCRIPT, token_kinds_js, sizeof token_kinds_js},
    {"/tokens-view.js", JAVASCRIPT, tokens_view_js, sizeof tokens_view_js},
    {"/types-view.js", JAVASCRIPT, types_view_js, sizeof types_view_js},
    {"/unknown-view.js", JAVASCRIPT, unknown_view_js, sizeof unknown_view_js},
    {"/verdict-feed.js", JAVASCRIPT, verdict_feed_js, sizeof verdict_feed_js},
    {"/views.js", JAVASCRIPT, views_js, sizeof views_js},
    {"/virtual-rows.js", JAVASCRIPT, virtual_rows_js, sizeof virtual_rows_js},
};

size_t lt_web_asset_count(void) {
    return sizeof assets / sizeof assets[0];
}

const struct lt_web_asset *lt_web_asset_at(size_t index) {
    return index < lt_web_asset_count() ? &assets[index] : NULL;
}
