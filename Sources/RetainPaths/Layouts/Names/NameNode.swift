/// A part of a mangled name that an operator takes or makes: an operand on the stack of its demangling.
struct NameNode {
    enum Form: Hashable {
        case identifier(String)
        case module(String)
        case nominal(NominalTypes.Path)
        case type
        case emptyList
        case firstElement
        /// An attribute of a function type, which precedes the function's operator: `K`, `Ya`.
        case attribute
        /// An extension of another module's type.
        case anExtension
    }

    var form: Form
    var pieces: [NameExpansion.Piece]

    var text: String {
        pieces.reduce(into: "") { text, piece in
            switch piece {
            case .text(let part), .nominal(_, let part): text += part
            }
        }
    }

    var isType: Bool {
        switch form {
        case .nominal, .type: true
        default: false
        }
    }
}
