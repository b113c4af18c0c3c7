# Compares the imports of each target's sources with its dependencies in Package.swift. For Scripts/lint.

# Prints the modules that the sources in a folder import, one per line: Swift's imports, and the headers that C sources
# include.
imported_modules() {
    local folder=$1
    {
        find "$folder" -name '*.swift' -exec cat {} + \
            | sed -nE -e 's/^ *((@[A-Za-z_]+|public|package|internal|fileprivate|private) +)*import +/import /' \
                -e 's/^import (struct|class|enum|protocol|func|var|let|typealias) /import /' \
                -e 's/^import ([A-Za-z0-9_]+).*/\1/p'
        find "$folder" \( -name '*.c' -o -name '*.h' \) -exec cat {} + \
            | sed -nE 's/^ *# *include *["<]([A-Za-z0-9_]+)\.h[">].*/\1/p'
    } | sort -u
}

# Prints a line for each import without a dependency, and for each dependency without an import; fails if there is one.
check_package_imports() {
    local kind name folder dependencies dependency module described status=0
    local -A kinds=() declared=() imported=()
    described=$(awk -f Scripts/lib/package-imports.awk Package.swift)
    while read -r kind name folder dependencies; do kinds[$name]=$kind; done <<<"$described"
    while read -r kind name folder dependencies; do
        [[ $kind != systemLibrary ]] || continue
        declared=() imported=()
        for dependency in $dependencies; do declared[$dependency]=yes; done
        while read -r module; do
            # A program's module has underscores for the hyphens of its name.
            [[ -n $module ]] && for dependency in "$module" "${module//_/-}"; do
                [[ -z ${kinds[$dependency]-} || $dependency == "$name" ]] || imported[$dependency]=yes
            done
        done < <(imported_modules "$folder")
        for dependency in "${!imported[@]}"; do
            [[ -n ${declared[$dependency]-} ]] && continue
            echo "Package.swift: $name imports $dependency and does not declare it"
            status=1
        done
        for dependency in "${!declared[@]}"; do
            # Tests run the programs that they depend on.
            [[ -n ${imported[$dependency]-} || ${kinds[$dependency]-} == executableTarget ]] && continue
            echo "Package.swift: $name declares $dependency and does not import it"
            status=1
        done
    done <<<"$described"
    return "$status"
}
