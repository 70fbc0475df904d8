// npm run screenshots: makes the README's pictures anew, as the browser tests see the product.
import { copyFile, mkdir } from 'node:fs/promises'
import { inRoot } from './setup/paths.mjs'
import { orExit, run } from './setup/run.mjs'

orExit(
  await run('node', ['scripts/test.mjs', 'e2e', 'e2e/look.spec.ts', 'e2e/exact.spec.ts'], {
    env: { NOD_LOOKS: 'all' },
  }),
  'The pictures could not be made; see above.',
)
await mkdir(inRoot('docs/images'), { recursive: true })
for (const name of ['waiting-call', 'foreign-call', 'waiting-light', 'batch-dark', 'batch-phone']) {
  await copyFile(inRoot(`test-results/look/${name}.png`), inRoot(`docs/images/${name}.png`))
}
