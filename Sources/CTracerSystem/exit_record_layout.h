// The layout of the memory that `tracer-server run` shares with the agent.
#pragma once

#include "exit_record.h"

#include <stdatomic.h>

struct lt_exit_record {
    uint64_t mark;
    int32_t creator;
    _Atomic uint32_t state;
    uint64_t leaks;
    uint64_t text_size;
    uint64_t json_size;
    uint8_t text[LT_EXIT_TEXT_LIMIT];
    uint8_t json[LT_EXIT_JSON_LIMIT];
};
