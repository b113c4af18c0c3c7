#define _GNU_SOURCE
#include "CTracerSymbols.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#if defined(__linux__) && defined(__LP64__)
#include <link.h>

static int count_only(struct dl_phdr_info *info, size_t size, void *context)
{
    lt_load_counts *counts = context;
    counts->loaded = info->dlpi_adds;
    counts->unloaded = info->dlpi_subs;
    return 1;
}

lt_load_counts lt_current_load_counts(void)
{
    lt_load_counts counts = {0, 0};
    dl_iterate_phdr(count_only, &counts);
    return counts;
}

struct visit {
    lt_object_visitor visitor;
    void *context;
    lt_load_counts counts;
};

static int visit_one(struct dl_phdr_info *info, size_t size, void *context)
{
    struct visit *visit = context;
    lt_loaded_object object = {
        .bias = info->dlpi_addr,
        .path = info->dlpi_name ? info->dlpi_name : "",
        .headers = info->dlpi_phdr,
        .header_count = info->dlpi_phdr ? info->dlpi_phnum : 0,
    };
    visit->counts = (lt_load_counts){info->dlpi_adds, info->dlpi_subs};
    visit->visitor(&object, visit->context);
    return 0;
}

lt_load_counts lt_visit_loaded_objects(lt_object_visitor visitor, void *context)
{
    struct visit visit = {visitor, context, {0, 0}};
    dl_iterate_phdr(visit_one, &visit);
    return visit.counts;
}

#endif

bool lt_describe_address(uintptr_t address, const char *path, lt_described_address *described)
{
    *described = (lt_described_address){0};
    // The result of dladdr points into the object. While the object is opened here, no dlclose on another thread unmaps
    // it.
    void *pin = NULL;
    if (path && !(pin = dlopen(path, RTLD_LAZY | RTLD_NOLOAD)))
        return false;
    Dl_info info;
    bool known = dladdr((const void *)address, &info) != 0;
    if (known) {
        described->base = (uintptr_t)info.dli_fbase;
        described->start = (uintptr_t)info.dli_saddr;
        if (info.dli_sname && info.dli_saddr)
            described->name = strdup(info.dli_sname);
        if (info.dli_fname)
            described->path = strdup(info.dli_fname);
    }
    if (pin)
        dlclose(pin);
    return known;
}

// Part of the standard library for its own backtraces and without a stability promise, so it is used only where it
// exists.
typedef char *brief_demangler(const char *mangled, size_t length, char *buffer, size_t *size);

#if defined(__APPLE__)
// A weak reference would need the symbol in the SDK.
static brief_demangler *find_brief_demangler(void)
{
    return (brief_demangler *)dlsym(RTLD_DEFAULT, "_swift_backtrace_demangle");
}
#else
__attribute__((weak)) brief_demangler _swift_backtrace_demangle;

static brief_demangler *find_brief_demangler(void)
{
    return _swift_backtrace_demangle;
}
#endif

char *lt_demangle_briefly(const char *mangled, size_t length)
{
    brief_demangler *demangle = find_brief_demangler();
    return demangle ? demangle(mangled, length, NULL, NULL) : NULL;
}

// Defined in stdlib/public/runtime/Demangle.cpp; the only valid flags are 0.
char *swift_demangle(const char *mangled, size_t length, char *buffer, size_t *size, uint32_t flags);

char *lt_demangle_fully(const char *mangled, size_t length)
{
    return swift_demangle(mangled, length, NULL, NULL, 0);
}
