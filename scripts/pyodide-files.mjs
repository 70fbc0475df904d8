// The files for Python in the sandbox: those of the package pyodide, and the wheels of lib/sandbox/wheels. All are
// copied to public/sandbox-libs at each build, and not committed.
import { readFileSync } from 'node:fs'
import { copyFile, mkdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { pythonAssets } from '../lib/sandbox/python-assets.ts'

const root = path.resolve(import.meta.dirname, '..')
const packageFile = (name) => path.join(root, 'node_modules/pyodide', name)

/** The Python packages that Nod ships. */
export const wheels = JSON.parse(readFileSync(path.join(root, 'lib/sandbox/wheels/packages.json'), 'utf8'))

/** The sources of the wheels that Nod ships, by path under the project's root. Served names contain the hash. */
export const wheelSources = Object.fromEntries(
  wheels.map(({ sha256, file }) => [
    `public/sandbox-libs/wheel-${sha256}.whl`,
    path.join(root, 'lib/sandbox/wheels', file),
  ]),
)

/** The sources of the assets, by path under the project's root. */
const sources = {
  [`public/sandbox-libs/${pythonAssets.script}`]: packageFile('pyodide.asm.mjs'),
  [`public/sandbox-libs/${pythonAssets.wasm}`]: packageFile('pyodide.asm.wasm'),
  [`public/sandbox-libs/${pythonAssets.stdlib}`]: packageFile('python_stdlib.zip'),
}

/** @returns {Promise<Record<string, Uint8Array>>} bytes of each, by its path under the project's root */
export async function readPyodideFiles() {
  return Object.fromEntries(
    await Promise.all(Object.entries(sources).map(async ([name, source]) => [name, await readFile(source)])),
  )
}

/** Copies missing ones; returns their paths. Their names contain the version or the hash. */
export async function copyPyodideFiles() {
  const changed = []
  for (const [name, source] of Object.entries({ ...sources, ...wheelSources })) {
    const target = path.join(root, name)
    const [there, wanted] = await Promise.all([stat(target).catch(() => null), stat(source)])
    if (there?.size === wanted.size) continue
    changed.push(name)
    await mkdir(path.dirname(target), { recursive: true })
    await copyFile(source, target)
  }
  return changed
}
