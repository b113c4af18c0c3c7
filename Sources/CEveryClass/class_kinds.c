// Reads descriptors of classes.
#include "class_kinds.h"

#include <string.h>

static const uint32_t *managed_buffer, *traced_object;

void lt_set_known_types(lt_every_class_types types) {
    managed_buffer = ((const lt_class *)types.managed_buffer)->descriptor;
    traced_object = ((const lt_class *)types.traced_object)->descriptor;
}

const void *lt_address_in_standard_library(void) { return managed_buffer; }

/// Follows an offset from its own address; returns NULL for 0.
static const void *follow(const int32_t *offset) { return *offset ? (const char *)offset + *offset : NULL; }

/// Returns the context of a descriptor. The lowest bit of its offset says that it leads to an address.
static const uint32_t *parent_of(const uint32_t *descriptor) {
    const int32_t *offset = (const int32_t *)&descriptor[LT_DESCRIPTOR_PARENT];
    if (!*offset) return NULL;
    const void *place = (const char *)offset + (*offset & ~1);
    return *offset & 1 ? *(const uint32_t *const *)place : place;
}

static const char *module_of(const lt_class *metadata) {
    enum { MOST_CONTEXTS = 64 };
    const uint32_t *context = metadata->descriptor;
    for (int depth = 0; context && depth < MOST_CONTEXTS; depth++, context = parent_of(context)) {
        if ((*context & LT_DESCRIPTOR_KIND_BITS) != LT_DESCRIPTOR_KIND_MODULE) continue;
        return follow((const int32_t *)&context[LT_DESCRIPTOR_MODULE_NAME]);
    }
    return NULL;
}

static bool is_in(const char *const names[], size_t count, const lt_class *metadata) {
    const char *module = module_of(metadata);
    for (size_t index = 0; module && index < count; index++) {
        if (strcmp(module, names[index]) == 0) return true;
    }
    return false;
}

bool lt_is_of_tracer(const lt_class *metadata) {
    static const char *const names[] = {
        "LifetimeTracer", "LifetimeTracerFoundation", "LifetimeTracerTestKit", "LifetimeTracerDashboard",
        "LifetimeTracerServer", "LifetimeTracerEveryClass", "EveryClass", "RetainPaths", "TracerBase",
    };
    return is_in(names, sizeof names / sizeof *names, metadata);
}

bool lt_is_of_swift(const lt_class *metadata) {
    // The modules of the libraries in usr/lib/swift_static of the toolchain.
    static const char *const names[] = {
        "Swift", "SwiftOnoneSupport", "_Concurrency", "_StringProcessing", "_RegexParser", "RegexBuilder",
        "_Builtin_float", "_Differentiation", "_Volatile", "Cxx", "CxxStdlib", "Dispatch", "Distributed", "Foundation",
        "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking", "FoundationXML", "Glibc",
        "Observation", "Runtime", "Synchronization", "Testing", "XCTest", "_FoundationCollections", "_RopeModule",
        "CollectionsInternal",
    };
    return is_in(names, sizeof names / sizeof *names, metadata);
}

static bool inherits(const lt_class *metadata, const uint32_t *descriptor) {
    for (const lt_class *each = metadata; each && each->kind == LT_KIND_CLASS; each = each->superclass) {
        if (each->descriptor == descriptor) return true;
    }
    return false;
}

bool lt_is_buffer(const lt_class *metadata) { return inherits(metadata, managed_buffer); }

/// Whether a class stores a LifetimeToken as the protocol Traced requires it.
///
/// The table of fields has no name for a type that cannot be copied, but an accessor, which tells nothing of the type.
static bool has_token(const uint32_t *class_descriptor) {
    const lt_fields *fields = follow((const int32_t *)&class_descriptor[LT_DESCRIPTOR_FIELDS]);
    if (!fields || fields->record_size < sizeof(lt_field)) return false;
    const char *record = (const char *)(fields + 1);
    for (uint32_t index = 0; index < fields->count; index++, record += fields->record_size) {
        const lt_field *field = (const lt_field *)record;
        const char *type = follow(&field->type_name), *name = follow(&field->name);
        if (type && name && type[0] == LT_NAME_BY_ACCESSOR && strcmp(name, "lifetimeToken") == 0) return true;
    }
    return false;
}

bool lt_records_itself(const lt_class *metadata) {
    if (inherits(metadata, traced_object)) return true;
    for (const lt_class *each = metadata; each && each->kind == LT_KIND_CLASS; each = each->superclass) {
        const uint32_t *descriptor = each->descriptor;
        if (!descriptor || (*descriptor & LT_DESCRIPTOR_KIND_BITS) != LT_DESCRIPTOR_KIND_CLASS) return false;
        if (has_token(descriptor)) return true;
    }
    return false;
}
