// npm run generate -- screenshots: takes the pictures of the docs and of docs/generated/screens.md with the end-to-end
// tests.
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { screensPage } from './screenshots/screens-page.mjs'
import { inRoot } from '../setup/paths.mjs'
import { orExit, run } from '../setup/run.mjs'

const journeys = (files, env) => run('node', ['scripts/test.mjs', 'e2e', ...files], { env })
const failed = 'The pictures could not be made; see above.'

orExit(await journeys(['e2e/look.spec.ts', 'e2e/exact.spec.ts'], { NOD_LOOKS: 'all' }), failed)
await mkdir(inRoot('docs/images'), { recursive: true })
for (const name of ['waiting-call', 'foreign-call', 'waiting-light']) {
  await copyFile(inRoot(`test-results/look/${name}.png`), inRoot(`docs/images/${name}.png`))
}

const taken = inRoot('.cache/screens')
orExit(await journeys(['e2e/screens.spec.ts'], { NOD_PICTURES: taken }), failed)
const page = await screensPage({ from: taken, into: inRoot('docs/images/screens'), href: '../images/screens' })
await writeFile(inRoot('docs/generated/screens.md'), page)
