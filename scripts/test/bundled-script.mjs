import path from 'node:path'
import { build } from 'esbuild'

const root = path.resolve(import.meta.dirname, '../..')

/**
 * The path of one file that does the same as the TypeScript of `entry` (from the root). A test that starts a program
 * several times then compiles its sources only once.
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
