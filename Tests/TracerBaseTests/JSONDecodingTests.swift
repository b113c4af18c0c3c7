import Testing

@testable import TracerBase

/// `Decodable` types, created from JSON values.
@Suite struct JSONDecodingTests {
    private struct Item: Decodable, Equatable {
        enum Kind: String, Decodable { case old, new }

        let name: String
        let count: Int
        var share: Double?
        var kind: Kind?
        var flags: [Bool] = []
        var parts: [Item]?
        var limits: [String: UInt8]?
    }

    private func decoded<Value: Decodable>(_ json: String, as type: Value.Type = Value.self) throws -> Value {
        try JSONReader.read(Array(json.utf8), size: 1 << 16, depth: 8).decoded()
    }

    @Test func membersElementsAndOptionalsAreDecoded() throws {
        let json = """
            {"unknown":[{}],"name":"a","count":3.0,"share":null,"kind":"new","flags":[true,false],
             "parts":[{"name":"b","count":-1,"flags":[],"share":0.5}],"limits":{"x":255}}
            """
        let part = Item(name: "b", count: -1, share: 0.5)
        #expect(
            try decoded(json)
                == Item(name: "a", count: 3, kind: .new, flags: [true, false], parts: [part], limits: ["x": 255]))
        #expect(try decoded("[1,null,3]", as: [Int?].self) == [1, nil, 3])
        #expect(try decoded("[[\"a\"],[]]", as: [[String]].self) == [["a"], []])
        #expect(try decoded("true", as: Bool.self))
    }

    @Test(arguments: [
        "{}", "[]", "null", #"{"name":"a","count":1}"#, #"{"name":"a","flags":[]}"#,
        #"{"name":1,"count":1,"flags":[]}"#, #"{"name":"a","count":"1","flags":[]}"#,
        #"{"name":"a","count":1.5,"flags":[]}"#, #"{"name":"a","count":1e30,"flags":[]}"#,
        #"{"name":"a","count":1,"flags":[1]}"#, #"{"name":"a","count":1,"flags":{}}"#,
        #"{"name":"a","count":null,"flags":[]}"#, #"{"name":"a","count":1,"flags":[],"kind":"none"}"#,
        #"{"name":"a","count":1,"flags":[],"limits":{"x":256}}"#, #"{"name":"a","count":1,"flags":[],"parts":[{}]}"#,
    ])
    func valuesOfOtherTypesAreRefused(json: String) {
        #expect(throws: DecodingError.self) { try decoded(json, as: Item.self) }
    }

    @Test func errorsNameThePathAndTheLine() throws {
        let json =
            "{\"name\":\"a\",\"count\":1,\"flags\":[],\"parts\":[\n{\"name\":\"b\",\"count\":1,\"flags\":[\n3]}]}"
        do {
            _ = try decoded(json, as: Item.self)
            Issue.record("the value was decoded")
        } catch DecodingError.typeMismatch(_, let context) {
            #expect(context.codingPath.map(\.stringValue) == ["parts", "Index 0", "flags", "Index 0"])
            #expect(context.debugDescription == "The value on line 3 is a number.")
        }
    }
}
