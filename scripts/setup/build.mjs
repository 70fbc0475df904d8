import { mkdir, rm, writeFile } from 'node:fs/promises'
import { readBasePath } from './base-path.mjs'
import { bringHostFiles } from '../release/contents.mjs'
import { fingerprint, readStamp } from './fingerprint.mjs'
import { inTurn } from './in-turn.mjs'
import { inRoot } from './paths.mjs'
import { startProgress } from './progress.mjs'
import { orExit, runQuiet } from './run.mjs'

const stamp = '.next/nod-build-stamp'
const inputs = [
  'app',
  'components',
  'lib',
  'public',
  'scripts/build-messages.mjs',
  'scripts/build-sandbox.mjs',
  'scripts/messages',
  'scripts/notices.mjs',
  'scripts/notices',
  'scripts/release.mjs',
  'scripts/release',
  'docs/licences',
  'LICENSE',
  'proxy.ts',
  'instrumentation.ts',
  'instrumentation-client.ts',
  'next.config.ts',
  'postcss.config.mjs',
  'tsconfig.json',
  'package-lock.json',
]
const isTest = (file) => /\.(test|contract)\.(tsx?|mjs)$/.test(file)

/** Next's own progress lines, in plain words; other lines are for debugging. */
const steps = [
  [/creating an optimized production build/i, 'bundling the pages'],
  [/compiled successfully/i, 'putting it together'],
  [/collecting page data/i, 'collecting the routes'],
  [/generating static pages/i, 'finishing'],
]

function sayStep(progress, line) {
  const step = steps.find(([pattern]) => pattern.test(line))
  if (step) progress.say(step[1])
}

/** Compiles the messages: lib/i18n/generated. */
export async function buildMessages() {
  orExit(await runQuiet('node', ['scripts/build-messages.mjs']), 'The messages could not be compiled; see above.')
}

/** Compiles the messages and bundles the parts outside Next: the sandbox frame and the file system's worker. */
export async function buildSandbox() {
  await buildMessages()
  orExit(await runQuiet('node', ['scripts/build-sandbox.mjs']), 'The sandbox could not be bundled; see above.')
}

/** Builds for production if anything in the build changed; two scripts that want it build one after the other. */
export const ensureBuilt = () =>
  inTurn(
    inRoot('.cache/build.pid'),
    (pids) => console.log(`Another build of this folder is running (process ${pids.join(', ')}). Waiting for it …`),
    buildIfChanged,
  )

async function buildIfChanged(addProcess) {
  await buildSandbox()
  const basePath = readBasePath()
  const hash = await fingerprint(inputs, isTest)
  // A build that was made only for testing is not reused for more.
  const wanted = `${hash}${basePath}${process.env.NOD_BUILD_QUICK === 'on' ? ' quick' : ''}`
  if ((await readStamp(stamp)) === wanted) return void (await bringHostFiles(inRoot(), inRoot('.next/standalone')))
  // Route types of a development server may name deleted files, which would fail the build.
  await rm(inRoot('.next/dev'), { recursive: true, force: true })
  const progress = startProgress('Building (about a minute)')
  // The name tells open pages that the server was updated.
  const env = { NOD_BUILD: hash.slice(0, 16), NOD_BASE_PATH: basePath }
  const code = await runQuiet('next', ['build'], {
    env,
    onStart: addProcess,
    onLine: (line) => sayStep(progress, line),
  })
  const noticed = code === 0 ? await runQuiet('node', ['scripts/notices.mjs']) : code
  if (noticed === 0) progress.say('compressing')
  const released = noticed === 0 ? await runQuiet('node', ['scripts/release.mjs']) : noticed
  if (released === 0) progress.done()
  else progress.stop()
  orExit(code, 'The build failed; see above.')
  orExit(noticed, 'The notices of the packages could not be made; see above.')
  orExit(released, 'What was built could not be put together; see above.')
  await mkdir(inRoot('.next'), { recursive: true })
  await writeFile(inRoot(stamp), wanted)
}
