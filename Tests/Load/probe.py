"""Requests /healthz repeatedly, each time on a new connection, and measures the response times."""

import math
import socket
import time

TIMEOUT_SECONDS = 10
PAUSE_SECONDS = 0.05


def probe(server, address, stop, results):
    """Probes until `stop` is set, then puts the response times into `results` as a list, with infinity for failures."""
    seconds = []
    while not stop.is_set():
        seconds.append(seconds_of_request(server, address))
        time.sleep(PAUSE_SECONDS)
    results.put(seconds)


def seconds_of_request(server, address):
    begin = time.monotonic()
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as client:
            client.settimeout(TIMEOUT_SECONDS)
            client.bind((address, 0))
            client.connect(server)
            client.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            answer = b""
            while received := client.recv(65536):
                answer += received
    except OSError:
        return math.inf
    return time.monotonic() - begin if answer.startswith(b"HTTP/1.1 200 ") else math.inf


def percentile(seconds, share):
    """The smallest value that at least `share` of all do not exceed."""
    return sorted(seconds)[max(0, math.ceil(len(seconds) * share) - 1)]
