# Reads the public symbols of compiled modules, and converts documentation catalogues with DocC.

# Sets `docc` and `symbol_extractor` to the tool chain's programs.
find_docc() {
    docc=$(tool_of_tool_chain docc) || die "this tool chain has no docc. The tool chains of swift.org contain it."
    symbol_extractor=$(tool_of_tool_chain swift-symbolgraph-extract) \
        || die "this tool chain has no swift-symbolgraph-extract. The tool chains of swift.org contain it."
    target_triple=$(swift -print-target-info | sed -nE 's/^ *"unversionedTriple": "(.*)",?$/\1/p')
    [[ -n $target_triple ]] || die "'swift -print-target-info' states no triple"
}

# tool_of_tool_chain NAME: prints the path of a program beside swift, or else on PATH.
tool_of_tool_chain() {
    local beside
    beside=$(dirname -- "$(readlink -f -- "$(command -v swift)")")/$1
    if [[ -x $beside ]]; then
        printf '%s' "$beside"
    else
        command -v "$1"
    fi
}

# extract_symbols BUILD MODULE FOLDER: writes the symbol graphs of a module's public symbols.
extract_symbols() {
    local build=$1 module=$2 folder=$3 map
    local -a maps=()
    for map in "$build"/*.build/module.modulemap "$root"/Sources/*/module.modulemap; do
        maps+=(-Xcc "-fmodule-map-file=$map")
    done
    mkdir -p -- "$folder"
    "$symbol_extractor" -module-name "$module" -I "$build/Modules" -target "$target_triple" \
        -minimum-access-level public -skip-synthesized-members -emit-extension-block-symbols "${maps[@]}" \
        -output-dir "$folder" 2>&1 | indented || return 1
    [[ -s $folder/$module.symbols.json ]]
}

# convert_quietly CATALOGUE SYMBOLS ARCHIVE: succeeds if DocC prints neither a warning nor a note.
convert_quietly() {
    local name=${1##*/} report status=0
    report=$("$docc" convert "$1" --additional-symbol-graph-dir "$2" --output-dir "$3" --analyze \
        --warnings-as-errors --fallback-display-name "${name%.docc}" --fallback-bundle-identifier "${name%.docc}" \
        2>&1) || status=$?
    ((status != 0)) || [[ -n $report ]] || return 0
    indented <<<"$report"
    return 1
}

# has_page ARCHIVE MODULE ARTICLE: whether the archive has a page for an article or for the module itself.
has_page() {
    local name=${3##*/}
    local folder=$1/data/documentation module=${2,,}
    name=${name%.md}
    if [[ $name == "$2" ]]; then
        [[ -s $folder/$module.json ]]
    else
        [[ -s $folder/$module/${name,,}.json ]]
    fi
}

indented() {
    local line
    while IFS= read -r line; do printf '            %s\n' "$line"; done
}
