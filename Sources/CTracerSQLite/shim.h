// SQLite for Swift.
#pragma once

#if !__has_include(<sqlite3.h>)
#error "tracer-server needs SQLite: apt-get install libsqlite3-dev (macOS has it)"
#else
#include <sqlite3.h>
#endif
