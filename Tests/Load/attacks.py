"""Clients that use up a server's connections: each attack is a crowd of sockets in one process.

An attack opens a limited number of connections per second, because it tests how the server shares its connections, and
not how fast the machine is.
"""

import random
import select
import socket
import struct
import time
from dataclasses import dataclass, field

OPENED_A_SECOND = 3000
# Fewer per second, because each of these clients makes the server answer many requests.
READERS_OPENED_A_SECOND = 200
FIELDS = b"Host: localhost\r\n"


@dataclass
class Attack:
    """The behaviour of each client of a crowd."""

    name: str
    count: int
    opening: bytes
    addresses: list = field(default_factory=lambda: ["127.0.0.1"])
    # Sent every `drip_seconds`, to keep the connection from being idle.
    drip: bytes = b""
    drip_seconds: float = 0.5
    closes_half: bool = False
    # The greatest number of connections opened per second to replace closed ones.
    opened_a_second: int = OPENED_A_SECOND
    # False for a client that never reads and has the smallest receive buffer that the system permits.
    reads: bool = True


def attacks(count_of, stream_path):
    """All attacks; `count_of` maps the number of clients in the full form to the number in this run."""
    many = [f"127.0.1.{number}" for number in range(1, 41)]
    # More bytes than the system buffers for a client, and cheap to answer: the attack uses up connections, not CPU
    # time.
    small = b"GET /healthz HTTP/1.1\r\n" + FIELDS + b"\r\n"
    large = (b"GET /style.css HTTP/1.1\r\n" + FIELDS + b"\r\n") * 30
    return [
        Attack("half-closed partial requests", count_of(1000), b"GET /healthz HTTP/1.1\r\nHost: loc", closes_half=True),
        Attack("silent clients", count_of(2000), b""),
        Attack("slow headers", count_of(2000), b"GET / HTTP/1.1\r\nX-Slow: ", drip=b"x"),
        Attack("slow headers, forty addresses", count_of(2000), b"GET / HTTP/1.1\r\nX-Slow: ", many, drip=b"x"),
        Attack("slow bodies", count_of(2000),
               b"POST /api/v1/marks HTTP/1.1\r\n" + FIELDS + b"Content-Length: 60000\r\n\r\n", drip=b"x"),
        Attack("slow second requests", count_of(2000),
               b"GET /healthz HTTP/1.1\r\n" + FIELDS + b"\r\nGET / HTTP/1.1\r\nX-Slow: ", drip=b"x"),
        Attack("slow readers", count_of(2000), large, reads=False, opened_a_second=READERS_OPENED_A_SECOND),
        Attack("slow readers, forty addresses", count_of(2000), large, many, reads=False,
               opened_a_second=READERS_OPENED_A_SECOND),
        Attack("pipelined requests, forty addresses", count_of(400), small * 5, many, drip=small * 2, drip_seconds=0.2,
               opened_a_second=READERS_OPENED_A_SECOND),
        Attack("event streams", count_of(1000), b"GET " + stream_path + b" HTTP/1.1\r\n" + FIELDS + b"\r\n", many),
    ]


def run(attack, server, ready, stop):
    """Keeps the crowd complete until `stop` is set; sets `ready` once every client has connected."""
    crowd = Crowd()
    opened = 0
    allowance = attack.count
    last = next_drip = time.monotonic()
    while not stop.is_set():
        now = time.monotonic()
        allowance = min(attack.count, allowance + (now - last) * attack.opened_a_second)
        last = now
        while len(crowd) < attack.count and allowance >= 1:
            crowd.add(open_client(attack, server, opened), attack.reads)
            opened += 1
            allowance -= 1
        if opened >= attack.count:
            ready.set()
        crowd.drop_ended(0.02)
        if attack.drip and now >= next_drip:
            next_drip = now + attack.drip_seconds
            crowd.send(attack.drip)
    crowd.close()


class Crowd:
    """Sockets that are watched for the end of their connections."""

    def __init__(self):
        self._clients = {}
        self._events = select.epoll()

    def __len__(self):
        return len(self._clients)

    def add(self, client, reads=True):
        """Adds a client. Received data is discarded, or stays unread if the client does not read."""
        if client is not None:
            self._clients[client.fileno()] = client
            self._events.register(client, (select.EPOLLIN if reads else 0) | select.EPOLLRDHUP)

    def drop_ended(self, seconds):
        """Waits up to `seconds` for events, closes the clients whose connection has ended, and returns their number."""
        count = 0
        for descriptor, events in self._events.poll(seconds):
            if has_ended(self._clients[descriptor], events):
                self._drop(descriptor)
                count += 1
        return count

    def send(self, text):
        """Sends a text on each connection."""
        for descriptor, client in list(self._clients.items()):
            try:
                client.send(text)
            except BlockingIOError:
                pass
            except OSError:
                self._drop(descriptor)

    def close(self):
        """Closes all connections."""
        for descriptor in list(self._clients):
            self._drop(descriptor)
        self._events.close()

    def _drop(self, descriptor):
        self._events.unregister(descriptor)
        self._clients.pop(descriptor).close()


def has_ended(client, events):
    if not events & select.EPOLLIN:
        return True
    try:
        return client.recv(65536) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def open_client(attack, server, number):
    """A connected client that has sent its opening; `None` if it could not connect."""
    client = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        client.setsockopt(socket.IPPROTO_IP, 24, 1)  # IP_BIND_ADDRESS_NO_PORT
        if not attack.reads:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        # The client discards unsent data when it closes the connection, so that the ports do not run out.
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.bind((attack.addresses[number % len(attack.addresses)], 0))
        client.settimeout(5)
        client.connect(server)
    except OSError:
        client.close()
        return None
    client.setblocking(False)
    try:
        if attack.opening:
            client.send(attack.opening)
        if attack.closes_half:
            client.shutdown(socket.SHUT_WR)
    except OSError:
        # The server may have closed the connection already. The crowd notices the end of the connection.
        pass
    return client


def count_streams(server, path, count, answers, stop):
    """Opens streams from many addresses, counts the statuses, and keeps the open streams until `stop` is set."""
    clients, statuses = [], {}
    for number in range(count):
        client = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        client.settimeout(30)
        client.bind((f"127.0.2.{number % 40 + 1}", 0))
        client.connect(server)
        client.sendall(b"GET " + path + b" HTTP/1.1\r\n" + FIELDS + b"\r\n")
        status = client.recv(4096)[9:12].decode()
        statuses[status] = statuses.get(status, 0) + 1
        if status == "200":
            clients.append(client)
        else:
            client.close()
    answers.put(statuses)
    stop.wait()
    for client in clients:
        client.close()


def malformed_requests(seed):
    """An endless sequence of malformed requests."""
    source = random.Random(seed)
    path = b"/api/v1/summary"
    fixed = [
        b"\r\n\r\n\r\n", b"GET\r\n\r\n", b"GET  HTTP/1.1\r\n\r\n", b" GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/1.1\r\nHost\r\n\r\n",
        b"GET / HTTP/1.1\r\n: x\r\n\r\n", b"GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n",
        b"GET /\x00 HTTP/1.1\r\nHost: x\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", b"POST / HTTP/1.1\r\nContent-Length: 1e3\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx",
        b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 4000 + b"\r\n",
        b"GET / HTTP/1.1\r\nX: " + b"a" * 20000 + b"\r\n\r\n", b"GET http://x:y:z/ HTTP/1.1\r\nHost: x\r\n\r\n",
    ]
    valid = b"GET " + path + b"?limit=1 HTTP/1.1\r\n" + FIELDS + b"Accept: */*\r\n\r\n"
    while True:
        kind = source.randrange(4)
        if kind == 0:
            yield source.choice(fixed)
        elif kind == 1:
            yield source.randbytes(source.randrange(1, 400))
        elif kind == 2:
            # A valid request with replaced bytes.
            request = bytearray(valid)
            for _ in range(source.randrange(1, 6)):
                request[source.randrange(len(request))] = source.randrange(256)
            yield bytes(request)
        else:
            # A truncated valid request, or a valid request followed by random bytes.
            cut = source.randrange(1, len(valid))
            yield valid[:cut] if source.random() < 0.5 else valid + source.randbytes(cut)


def send_malformed(server, count, seed, sent, at_once=100):
    """Sends malformed requests, each on its own connection, and waits until each ends; `sent` counts them."""
    requests = malformed_requests(seed)
    crowd = Crowd()
    started = 0
    latest = time.monotonic()
    while started < count or len(crowd) > 0:
        while started < count and len(crowd) < at_once:
            started += 1
            crowd.add(open_client(Attack("", 0, next(requests), [f"127.0.3.{seed + 1}"], closes_half=True), server, 0))
        ended = crowd.drop_ended(0.1)
        sent.value += ended
        if ended > 0:
            latest = time.monotonic()
        elif time.monotonic() > latest + 30:
            raise TimeoutError(
                f"{len(crowd)} malformed requests were not answered, nor their connections closed, within 30 s")
