#define _GNU_SOURCE
#include "CBareServer.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

int bench_connect(uint16_t port) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int connected = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    if (connected < 0) return -1;
    setsockopt(connected, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (connect(connected, (struct sockaddr *)&address, sizeof address)) {
        close(connected);
        return -1;
    }
    return connected;
}

int bench_follow(int socket, const char *path) {
    char buffer[4096];
    int length = snprintf(buffer, sizeof buffer, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", path);
    if (send(socket, buffer, (size_t)length, MSG_NOSIGNAL) != length) return -1;
    ssize_t count = recv(socket, buffer, sizeof buffer - 1, 0);
    return count > 12 && !strncmp(buffer, "HTTP/1.1 200", 12) ? 0 : -1;
}

int64_t bench_get(int socket, const char *path) {
    static char buffer[1 << 16];
    int length = snprintf(
        buffer, sizeof buffer, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\n\r\n", path);
    if (send(socket, buffer, (size_t)length, MSG_NOSIGNAL) != length) return -1;
    size_t used = 0;
    char *end = NULL;
    while (!end) {
        ssize_t count = recv(socket, buffer + used, sizeof buffer - 1 - used, 0);
        if (count <= 0) return -1;
        used += (size_t)count;
        buffer[used] = 0;
        end = strstr(buffer, "\r\n\r\n");
        if (!end && used == sizeof buffer - 1) return -1;
    }
    if (strncmp(buffer, "HTTP/1.1 200", 12)) return -1;
    char *field = strcasestr(buffer, "\r\nContent-Length:");
    if (!field || field > end) return -1;
    int64_t total = atoll(field + strlen("\r\nContent-Length:"));
    int64_t received = (int64_t)used - (end + 4 - buffer);
    while (received < total) {
        ssize_t count = recv(socket, buffer, sizeof buffer, 0);
        if (count <= 0) return -1;
        received += count;
    }
    return received == total ? total : -1;
}

static uint64_t cpu(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t bench_cpu_of_thread(const char *name) {
    DIR *threads = opendir("/proc/self/task");
    if (!threads) return 0;
    unsigned long long used = 0;
    for (struct dirent *entry; !used && (entry = readdir(threads));) {
        char path[300], found[32] = "";
        snprintf(path, sizeof path, "/proc/self/task/%s/comm", entry->d_name);
        FILE *file = fopen(path, "r");
        if (file) {
            if (fscanf(file, "%31[^\n]", found) != 1) found[0] = 0;
            fclose(file);
        }
        if (strcmp(found, name)) continue;
        snprintf(path, sizeof path, "/proc/self/task/%s/schedstat", entry->d_name);
        file = fopen(path, "r");
        if (!file) continue;
        if (fscanf(file, "%llu", &used) != 1) used = 0;
        fclose(file);
    }
    closedir(threads);
    return used;
}

int64_t bench_cpu_of_others(void) {
    return (int64_t)cpu(CLOCK_PROCESS_CPUTIME_ID) - (int64_t)cpu(CLOCK_THREAD_CPUTIME_ID);
}
