import path from 'node:path'
import { build } from 'esbuild'

const root = path.resolve(import.meta.dirname, '../..')

/**
 * The path of one file that does what the TypeScript of `entry` (from the root) does. A test that starts the same program
 * several times reads and compiles its sources once.
 */
export async function bundledScript(entry) {
  const outfile = path.join(root, '.cache/test-scripts', `${entry.replaceAll(/[/.]/g, '-')}-${process.pid}.mjs`)
  await build({
    entryPoints: [path.join(root, entry)],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  })
  return outfile
}
