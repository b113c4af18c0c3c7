import CRetainPaths
import Testing

@testable import RetainPaths

/// Reads real objects by their layouts, as the search in the frozen copy does, and lists their references.
struct LayoutReader {
    /// A strong reference.
    struct Reference: Hashable, CustomStringConvertible {
        let name: String
        let address: UInt

        var description: String { "\(name) → 0x\(String(address, radix: 16))" }
    }

    /// The bits of a word that are part of an address (x86-64).
    ///
    /// The other bits may encode the case of an enum.
    private static let addressBits: UInt = 0x0000_7FFF_FFFF_FFF8

    private(set) var references: [Reference] = []
    /// Byte ranges with unknown contents; the length -1 means "up to the end".
    private(set) var unknown: [(name: String, offset: Int, length: Int)] = []
    /// Names of weak, unowned and unmanaged references.
    private(set) var others: [String] = []
    /// The names and offsets of the words of plain data that may be pointers.
    private(set) var words: [String] = []
    /// The size of the object according to its layout.
    private(set) var size = 0
    /// The names of the function properties that were found.
    private(set) var functions: [String] = []

    private let layouts: TypeLayouts
    private let table: UnsafePointer<rp_layouts>

    init(_ layouts: TypeLayouts = .shared) {
        self.layouts = layouts
        guard let table = layouts.table else { fatalError("There is no memory for layouts.") }
        self.table = table
    }

    /// Reads an object.
    init(of object: AnyObject, by layouts: TypeLayouts = .shared) {
        self.init(layouts)
        read(at: UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()))
    }

    /// Reads the object, closure context or box at an address.
    init(at address: UInt, by layouts: TypeLayouts = .shared) {
        self.init(layouts)
        read(at: address)
    }

    var names: [String] { references.map(\.name).sorted() }

    private mutating func read(at address: UInt) {
        guard let object = UnsafeRawPointer(bitPattern: address) else { return }
        let metadata: UInt = object.read(0)
        layouts.compile(metadata: [metadata])
        var index = rp_find_layout(table, metadata)
        var layout = self.layout(index)
        if layout.flags & UInt8(RP_LAYOUT_IS_GENERIC.rawValue) != 0, let type = Metadata(address: metadata) {
            let start = ContextMetadata(type).firstCapture
            let bindings: [UInt] = (0..<Int(layout.binding_count)).map { object.read(start + $0 * 8) }
            layouts.compileContexts([(metadata, bindings)])
            index = rp_find_layout(table, rp_context_key(type.pointer, bindings, UInt32(bindings.count)))
            layout = self.layout(index)
        }
        size = Int(layout.size)
        read(index, at: object, outer: "")
        switch rp_tail(rawValue: UInt32(layout.tail)) {
        case RP_TAIL_ARRAY:
            let count: Int = object.read(16)
            for element in 0..<count {
                read(layout.element, at: object + 32 + element * stride(layout.element), outer: "[\(element)]")
            }
        case RP_TAIL_DICTIONARY, RP_TAIL_SET: readBuckets(of: object, layout)
        default: break
        }
        if layout.kind == UInt8(RP_LAYOUT_ERROR_BOX.rawValue), let type = object.pointer(16).map(Metadata.init) {
            readValue(type, at: object + 32, outer: "")
        }
    }

    private mutating func readBuckets(of object: UnsafeRawPointer, _ layout: rp_layout) {
        let isSet = layout.tail == UInt8(RP_TAIL_SET.rawValue)
        let scale: Int8 = object.read(32)
        guard let keys = object.pointer(48) else { return }
        for bucket in 0..<(1 << Int(scale)) {
            let word: UInt = object.read((isSet ? 56 : 64) + bucket / 64 * 8)
            guard word >> (bucket % 64) & 1 == 1 else { continue }
            read(layout.element, at: keys + bucket * stride(layout.element), outer: "key")
            if !isSet, let values = object.pointer(56) {
                read(layout.value, at: values + bucket * stride(layout.value), outer: "value")
            }
        }
    }

    /// Reads a value of a type that is only known at run time.
    mutating func readValue(_ type: Metadata, at value: UnsafeRawPointer, outer: String) {
        if type.isClass { return add(outer, value.read(0)) }
        layouts.compile(metadata: [type.address])
        read(rp_find_layout(table, type.address), at: value, outer: outer)
    }

    private func layout(_ index: rp_layout_index) -> rp_layout { table.pointee.layouts[Int(index)] }
    private func stride(_ index: rp_layout_index) -> Int { Int(layout(index).stride) }

    private mutating func add(_ name: String, _ word: UInt) {
        // Skips strings that are small or literals (stdlib/public/core/StringObject.swift: isImmortal).
        guard word >> 63 == 0 else { return }
        let address = word & Self.addressBits
        // Small numbers are the nils of optionals.
        if address >= 4_096 { references.append(Reference(name: name, address: address)) }
    }

    private mutating func read(_ index: rp_layout_index, at value: UnsafeRawPointer, outer: String) {
        let layout = layout(index)
        if layout.kind == UInt8(RP_LAYOUT_ENUM.rawValue) { return readEnum(index, at: value, outer: outer) }
        for slot in 0..<Int(layout.slot_count) {
            read(table.pointee.slots[Int(layout.first_slot) + slot], at: value, outer: outer)
        }
    }

    private mutating func read(_ slot: rp_slot, at value: UnsafeRawPointer, outer: String) {
        let name = Slot.join(outer, layouts.name(slot.name))
        let place = value + Int(slot.offset)
        switch rp_slot_kind(rawValue: UInt32(slot.kind)) {
        case RP_SLOT_STRONG, RP_SLOT_SLICE: add(name, place.read(0))
        case RP_SLOT_PLAIN:
            words += Swift.stride(from: 0, to: Int(slot.length), by: 8).map { "\(name)+\(Int(slot.offset) + $0)" }
        case RP_SLOT_FUNCTION:
            if place.read(0, as: UInt.self) != 0, place.read(8, as: UInt.self) != 0 {
                functions.append(name)
                add(name, place.read(8))
            }
        case RP_SLOT_WEAK, RP_SLOT_UNOWNED, RP_SLOT_UNMANAGED: others.append(name)
        case RP_SLOT_EXISTENTIAL: readExistential(at: place, name: name)
        case RP_SLOT_ENUM: readEnum(slot.layout, at: place, outer: name)
        case RP_SLOT_CONSERVATIVE:
            unknown.append((name, Int(slot.offset), slot.length == 0 ? -1 : Int(slot.length)))
        default: break
        }
    }

    private mutating func readExistential(at place: UnsafeRawPointer, name: String) {
        guard let type = place.pointer(24).map(Metadata.init) else { return }
        if type.isClass { return add(name, place.read(0)) }
        // TargetValueWitnessFlags: IsNonInline.
        let flags: UInt32 = type.witnesses?.pointer.read(80) ?? 0
        if flags & 0x2_0000 != 0 { return add(name, place.read(0)) }
        readValue(type, at: place, outer: name)
    }

    private typealias GetTag = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32
    private typealias Project = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void

    private mutating func readEnum(_ index: rp_layout_index, at value: UnsafeRawPointer, outer: String) {
        let layout = layout(index)
        guard let type = Metadata(address: layout.key), let witnesses = type.witnesses,
            let getTag = witnesses.pointer.pointer(88), let project = witnesses.pointer.pointer(96)
        else { return }
        let tag = unsafeBitCast(getTag, to: GetTag.self)(value, type.pointer)
        guard tag < layout.slot_count else { return }
        let payload = table.pointee.slots[Int(layout.first_slot) + Int(tag)]
        guard payload.layout != 0 else { return }
        let copy = UnsafeMutableRawPointer.allocate(byteCount: Int(layout.size) + 8, alignment: 16)
        defer { copy.deallocate() }
        copy.copyMemory(from: value, byteCount: Int(layout.size))
        if layout.flags & UInt8(RP_LAYOUT_IS_MULTI_PAYLOAD.rawValue) != 0 {
            unsafeBitCast(project, to: Project.self)(copy, type.pointer)
        }
        read(payload.layout, at: UnsafeRawPointer(copy), outer: Slot.join(outer, layouts.name(payload.name)))
    }
}

/// Compares the references that the layout finds in an object with the expected ones.
func expectReferences(
    of object: AnyObject, holds expected: [(String, AnyObject?)], among names: ((String) -> Bool) = { _ in true },
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let reader = LayoutReader(of: object)
    let found = Set(reader.references.filter { names($0.name) })
    let wanted = Set(
        expected.compactMap { name, object in
            object.map {
                LayoutReader.Reference(
                    // Safe: the address is compared, and never followed.
                    name: name, address: UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()))
            }
        })
    #expect(found == wanted, sourceLocation: sourceLocation)
    #expect(reader.unknown.isEmpty, "\(reader.unknown)", sourceLocation: sourceLocation)
    withExtendedLifetime(object) {}
}
