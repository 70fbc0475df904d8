import shipped from './wheels/packages.json'

/*
 * Packages that Python code can import in addition to the standard library: a few pure wheels that Nod ships, and those
 * that the operator adds (`python-add`). Each is one wheel, identified by the SHA-256 of its bytes.
 */

export interface PythonPackage {
  /** Normalised as on PyPI: lower case, one `-` between words. */
  readonly name: string
  readonly version: string
  /** Names of its top-level modules. */
  readonly imports: readonly string[]
  /** Names of packages. */
  readonly depends: readonly string[]
  /** The wheel's own file name, by which Python knows its format. */
  readonly file: string
  readonly sha256: string
  readonly bytes: number
  readonly licence: string
  readonly source: string
}

export const shippedPackages: readonly PythonPackage[] = shipped

/** If two packages have the same name, the operator’s is used. */
export function allPackages(added: readonly PythonPackage[]): readonly PythonPackage[] {
  const names = new Set(added.map(({ name }) => name))
  return [...shippedPackages.filter(({ name }) => !names.has(name)), ...added]
}

/** PEP 503: names that differ only in case and in `-`, `_` and `.` are equal. */
export const normalName = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, '-')

/** The asset with the list of packages, as JSON. */
export const packageListAsset = 'python-packages.json'

export const wheelAsset = (sha256: string): string => `wheel-${sha256}.whl`

/** The SHA-256 that the bytes of a wheel’s asset must have; null for other assets. */
export const hashOfWheel = (asset: string): string | null => /^wheel-([0-9a-f]{64})\.whl$/.exec(asset)?.[1] ?? null

/**
 * These packages and their dependencies, each after what it depends on. Names that are not in the list are left out.
 */
export function inLoadOrder(names: Iterable<string>, packages: readonly PythonPackage[]): readonly PythonPackage[] {
  const byName = new Map(packages.map((each) => [each.name, each]))
  const ordered = new Set<PythonPackage>()
  const seen = new Set<string>()
  const visit = (name: string) => {
    const found = byName.get(name)
    if (found === undefined || seen.has(name)) return
    seen.add(name)
    found.depends.forEach(visit)
    ordered.add(found)
  }
  for (const name of names) visit(name)
  return [...ordered]
}
