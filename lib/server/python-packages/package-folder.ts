import { readdirSync, readFileSync, statSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { pyodideVersion } from '@/lib/sandbox/python-assets'
import type { PythonPackage } from '@/lib/sandbox/python-packages'

/*
 * The packages that the operator added: `python/VERSION` of the data folder, a folder for each version of Pyodide, whose native
 * modules fit that version alone. A package is a wheel, named by its SHA-256, and a record, named by the package. The record
 * appears last and whole, so that a reader never sees half a package, and two commands at once cannot lose each other's.
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
  /** Someone named it; else it came with one that needs it. */
  isNamed: z.boolean(),
  licenceText: z.string(),
})

export interface AddedPackage extends PythonPackage {
  readonly isNamed: boolean
  /** What its licences say, whole. */
  readonly licenceText: string
}

export const packageFolder = (dataFolder: string): string => path.join(dataFolder, 'python', pyodideVersion)

/** Where the wheel with this hash is. Throws on what is no hash: no other text may become a path. */
export const wheelPath = (folder: string, hash: string): string => path.join(folder, `${sha256.parse(hash)}.whl`)

const isRecord = (name: string): boolean => /^[a-z0-9-]+\.json$/.test(name)

function readRecord(file: string): AddedPackage | null {
  try {
    const read = record.safeParse(JSON.parse(readFileSync(file, 'utf8')))
    return read.success ? read.data : null
  } catch {
    // Removed meanwhile, or damaged: the package is not there.
    return null
  }
}

/** In order; none where there is no folder. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted()
  } catch {
    return []
  }
}

/** The packages of a folder, by name; none where there is no folder. */
export const readPackages = (folder: string): readonly AddedPackage[] =>
  namesIn(folder)
    .filter(isRecord)
    .flatMap((name) => readRecord(path.join(folder, name)) ?? [])

/**
 * The packages that someone named for another version of Pyodide, where there are none for this one: what is to be added again
 * after an update. Null where that is nothing.
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

/** Reads the folder again only after something was added or removed. */
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

/** A name of its own for each writer. */
export const partPath = (file: string): string => `${file}.${process.pid}-${(parts += 1)}.part`

export async function writeRecord(folder: string, added: AddedPackage): Promise<void> {
  const file = path.join(folder, `${added.name}.json`)
  const part = partPath(file)
  await writeFile(part, `${JSON.stringify(added, null, 2)}\n`)
  await rename(part, file)
}

/** The record goes first. A wheel that another record names stays. */
export async function removePackage(folder: string, { name, sha256: hash }: AddedPackage): Promise<void> {
  await rm(path.join(folder, `${name}.json`), { force: true })
  if (!readPackages(folder).some((each) => each.sha256 === hash)) await rm(wheelPath(folder, hash), { force: true })
}
