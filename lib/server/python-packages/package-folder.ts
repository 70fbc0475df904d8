import { readdirSync, readFileSync, statSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { type PythonPackage } from '@/lib/sandbox/python-packages'
import { pyodideVersion } from '@/lib/sandbox/python-assets'

/*
 * The packages that the operator added: `python/VERSION` of the data folder, one folder per version of Pyodide, because
 * native modules work with only one version. A package is a wheel, named by its SHA-256, and a record, named by the
 * package. The record is written last and atomically, so that readers never see half a package, and two concurrent
 * commands keep each other's changes.
 */

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

const record = z.object({
  name: z.string(),
  version: z.string(),
  imports: z.array(z.string()),
  depends: z.array(z.string()),
  file: z.string(),
  sha256,
  bytes: z.number(),
  licence: z.string(),
  source: z.string(),
  /** Whether it was requested, not only added as a dependency. */
  isNamed: z.boolean(),
  licenceText: z.string(),
})

export interface AddedPackage extends PythonPackage {
  readonly isNamed: boolean
  /** The full license text. */
  readonly licenceText: string
}

export const packageFolder = (dataFolder: string): string => path.join(dataFolder, 'python', pyodideVersion)

/** The path of the wheel with this hash. Throws if it is not a hash, so that no other text becomes part of a path. */
export const wheelPath = (folder: string, hash: string): string => path.join(folder, `${sha256.parse(hash)}.whl`)

const isRecord = (name: string): boolean => /^[a-z0-9-]+\.json$/.test(name)

function readRecord(file: string): AddedPackage | null {
  try {
    const read = record.safeParse(JSON.parse(readFileSync(file, 'utf8')))
    return read.success ? read.data : null
  } catch {
    // Deleted meanwhile, or damaged: the package does not exist.
    return null
  }
}

/** Sorted; empty if the folder does not exist. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted()
  } catch {
    return []
  }
}

/** The packages of a folder, by name; empty if the folder does not exist. */
export const readPackages = (folder: string): readonly AddedPackage[] =>
  namesIn(folder)
    .filter(isRecord)
    .flatMap((name) => readRecord(path.join(folder, name)) ?? [])

/**
 * The packages that were requested for another version of Pyodide, if there are none for this one: they must be added
 * again after an update. Null if there are none.
 */
export function packagesBefore(
  dataFolder: string,
): { readonly version: string; readonly names: readonly string[] } | null {
  if (readPackages(packageFolder(dataFolder)).length > 0) return null
  for (const version of namesIn(path.join(dataFolder, 'python')).toReversed()) {
    const named = readPackages(path.join(dataFolder, 'python', version)).filter(({ isNamed }) => isNamed)
    if (named.length > 0) return { version, names: named.map(({ name }) => name) }
  }
  return null
}

/** Reads the folder again only after a package was added or removed. */
export function watchPackages(folder: string): () => readonly AddedPackage[] {
  let seen: number | null = null
  let packages: readonly AddedPackage[] = []
  return () => {
    const changedAt = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (changedAt !== seen) packages = readPackages(folder)
    seen = changedAt
    return packages
  }
}

let parts = 0

/** A unique name for each writer. */
export const partPath = (file: string): string => `${file}.${process.pid}-${(parts += 1)}.part`

export async function writeRecord(folder: string, added: AddedPackage): Promise<void> {
  const file = path.join(folder, `${added.name}.json`)
  const part = partPath(file)
  await writeFile(part, `${JSON.stringify(added, null, 2)}\n`)
  await rename(part, file)
}

/** Deletes the record first, and keeps a wheel that another record refers to. */
export async function removePackage(folder: string, { name, sha256: hash }: AddedPackage): Promise<void> {
  await rm(path.join(folder, `${name}.json`), { force: true })
  if (!readPackages(folder).some((each) => each.sha256 === hash)) await rm(wheelPath(folder, hash), { force: true })
}
