#include "CBareServer.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <stddef.h>

static enum MHD_Result answer(
    void *context, struct MHD_Connection *connection, const char *target, const char *method, const char *version,
    const char *data, size_t *size, void **slot) {
    static char body[] = "{\"status\":\"ok\"}";
    (void)context, (void)target, (void)method, (void)version, (void)data, (void)size;
    // The first call announces the head. An answer to that call would close the connection.
    if (!*slot) {
        *slot = body;
        return MHD_YES;
    }
    struct MHD_Response *response =
        MHD_create_response_from_buffer(sizeof body - 1, body, MHD_RESPMEM_PERSISTENT);
    MHD_add_response_header(response, "Content-Type", "application/json");
    enum MHD_Result result = MHD_queue_response(connection, MHD_HTTP_OK, response);
    MHD_destroy_response(response);
    return result;
}

uint16_t bench_start_bare_server(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, answer, NULL, MHD_OPTION_SOCK_ADDR,
        (struct sockaddr *)&address, MHD_OPTION_END);
    if (!daemon) return 0;
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
}
