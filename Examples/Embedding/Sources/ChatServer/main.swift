import LifetimeTracer
import LifetimeTracerServer

// This program is compiled by Scripts/check-embedding, which compares its parts with Documentation/GettingStarted.md.
try setLimits()
let room = Room()
await room.join("Ada")
let (connection, upload, heartbeat) = (Connection(address: "192.0.2.7"), Upload(), Heartbeat())
heartbeat.start()
let board = StatusBoard()
board.lines.append(connection.address)
try leave(room, connection, upload)
await room.close()

let server = TracerServer(address: "127.0.0.1:0")
try server.start()
print("serving at \(server.url ?? "no address")")
server.stop()
