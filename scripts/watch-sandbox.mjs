// Used by `npm run dev` for what Next does not handle: workers, frames and sandbox libraries are rebuilt when one of
// their sources changes, and served at the next reload.
import { utimes } from 'node:fs/promises'
import path from 'node:path'
import { context } from 'esbuild'
import { fileText, sandboxTargets, writeIfNew } from './build-sandbox.mjs'

const root = path.resolve(import.meta.dirname, '..')

/**
 * A frame's policy contains its script's hash and is read with Next's configuration, which Next reads again when the
 * file is touched.
 */
export const touchConfig = () => utimes(path.join(root, 'next.config.ts'), new Date(), new Date())

/**
 * Watches the sources of all bundles until `stop` is called. `onWritten` receives each changed file, `onFailed` each
 * one whose sources don't compile: the previous file stays.
 * @param {{ onWritten: (file: string) => unknown, onFailed?: (file: string) => unknown, only?: (file: string) => boolean }} options
 * @returns {Promise<{ stop: () => Promise<void> }>}
 */
export async function watchSandbox({ onWritten, onFailed = () => {}, only = () => true }) {
  const targets = (await sandboxTargets()).filter(({ file }) => only(file))
  const contexts = await Promise.all(
    targets.map((target) => {
      const writer = {
        name: 'write',
        setup(builder) {
          builder.onEnd(async (result) => {
            if (result.errors.length > 0) await onFailed(target.file)
            else if (await writeIfNew(target.file, await fileText(target, result))) await onWritten(target.file)
          })
        },
      }
      return context({ ...target.options, plugins: [...(target.options.plugins ?? []), writer] })
    }),
  )
  await Promise.all(contexts.map((each) => each.watch()))
  return { stop: async () => void (await Promise.all(contexts.map((each) => each.dispose()))) }
}
