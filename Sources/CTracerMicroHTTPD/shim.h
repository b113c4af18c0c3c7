// libmicrohttpd for Swift, with shims for its variadic functions, which Swift cannot call. Nothing else belongs here.
#pragma once

#if !__has_include(<microhttpd.h>)
#error "LifetimeTracerServer needs libmicrohttpd 0.9.75 or newer: \
apt-get install libmicrohttpd-dev (macOS: brew install libmicrohttpd)"
#else

#include <microhttpd.h>

#if MHD_VERSION < 0x00097500
#error "LifetimeTracerServer needs libmicrohttpd 0.9.75 or newer, and the header found is older: \
update libmicrohttpd-dev"
#else

/// Starts a daemon. Every callback gets `context`. The logger must be the first option: libmicrohttpd logs errors in
/// later options only then.
static inline struct MHD_Daemon *_Nullable lt_mhd_start(
    unsigned int flags, void *_Nonnull context, MHD_LogCallback _Nonnull log,
    MHD_NotifyConnectionCallback _Nonnull connection,
    void *_Nullable (*_Nonnull target)(void *_Nullable, const char *_Nullable, struct MHD_Connection *_Nullable),
    MHD_AccessHandlerCallback _Nonnull request, MHD_RequestCompletedCallback _Nonnull completed,
    const struct MHD_OptionItem *_Nonnull options)
{
    return MHD_start_daemon(
        flags, 0, NULL, NULL, request, context,
        MHD_OPTION_EXTERNAL_LOGGER, log, context,
        MHD_OPTION_NOTIFY_CONNECTION, connection, context,
        MHD_OPTION_URI_LOG_CALLBACK, target, context,
        MHD_OPTION_NOTIFY_COMPLETED, completed, context,
        MHD_OPTION_ARRAY, options,
        MHD_OPTION_END);
}

/// Makes the end of the connection mark the end of the response, instead of chunked encoding.
static inline enum MHD_Result lt_mhd_end_by_closing(struct MHD_Response *_Nonnull response)
{
    return MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

/// Returns the socket of a connection, or -1.
static inline int lt_mhd_descriptor(struct MHD_Connection *_Nonnull connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

#endif
#endif
