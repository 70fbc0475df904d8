// What `npm run dev` does for what Next knows nothing of: workers, frames and the sandbox's libraries are made again when one of
// their sources changes, and served at the next reload.
import { utimes } from 'node:fs/promises'
import path from 'node:path'
import { context } from 'esbuild'
import { fileText, sandboxTargets, writeIfNew } from './build-sandbox.mjs'

const root = path.resolve(import.meta.dirname, '..')

/** A frame's policy holds the hash of its script and is read with Next's configuration: Next reads it again when it was touched. */
export const touchConfig = () => utimes(path.join(root, 'next.config.ts'), new Date(), new Date())

/**
 * Watches the sources of all bundles until `stop` is called. `onWritten` hears of each file that changed, `onFailed` of one whose
 * sources don't compile just now: what was there before stays.
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
