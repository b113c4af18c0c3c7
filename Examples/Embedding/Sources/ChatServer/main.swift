import LifetimeTracer
import LifetimeTracerServer

// Scripts/check-embedding compiles this program, and compares its parts with Documentation/GettingStarted.md.
// Scripts/check-docs compares them with the documentation catalogues.
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
