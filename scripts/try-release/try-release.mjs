// npm test -- release: tests the image without Docker. The release and Node are copied into a separate folder with only
// Node's libraries. There it is started as the image's user, with the image's environment, in a root that is read-only
// except for its data. The test checks its health, chats, signs up its first administrator, makes a backup, stops it,
// and prints its figures.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ensureBuilt } from '../setup/build.mjs'
import { withCleanups } from '../setup/cleanups.mjs'
import { freePorts } from '../setup/free-ports.mjs'
import { ensureInstalled } from '../setup/install.mjs'
import { readImage } from './image.mjs'
import { layOut } from './lay-out.mjs'
import { runnerIn } from './runner.mjs'
import { signUpBy } from './sign-up-by.mjs'
import { talkTo } from './talk-to.mjs'

const MB = 1_000_000
/** The content of distroless/cc-debian12 before anything is added. */
const BASE_BYTES = 24 * MB
const MOST_BYTES = 250 * MB

await ensureInstalled()
await ensureBuilt()
await withCleanups(async (cleanups) => {
  const root = await mkdtemp(path.join(tmpdir(), 'nod-release-'))
  cleanups.add(() => rm(root, { recursive: true, force: true }))
  const image = readImage()
  const sizes = await layOut(root, image)
  const runner = runnerIn(root, image)
  console.log(runner.says)

  const origin = `http://127.0.0.1:${await freePorts(5600, 1)}`
  const startedAt = performance.now()
  const port = new URL(origin).port
  const accounts = { NOD_AUTH: 'password,invite', NOD_ADMINS: 'boss@example.com', PORT: port }
  const server = runner.start(image.command, { HOST: '127.0.0.1', ...accounts })
  cleanups.add(() => server.kill())
  await Promise.race([untilHealthy(origin), server.failed])
  const startMs = performance.now() - startedAt
  const idle = await server.residentBytes()
  const reply = await talkTo(origin)

  const manage = path.join(image.app, 'accounts.cjs')
  const invite = [image.command[0], manage, 'invite', 'boss@example.com', '--admin']
  const invited = await runner.run(invite, accounts)
  if (invited.code !== 0) throw new Error(`the invitation ended with ${invited.code}: ${invited.said}`)
  await signUpBy(origin, invited.said, 'boss@example.com')

  const backup = path.join(image.data, 'nod.jsonl.gz')
  for (const command of ['backup', 'check']) {
    const { code, said } = await runner.run([image.command[0], path.join(image.app, 'backup.cjs'), command, backup])
    if (code !== 0) throw new Error(`${command} ended with ${code}: ${said}`)
  }
  const code = await server.end()
  if (code !== 0) throw new Error(`SIGTERM ended it with ${code}: ${server.said()}`)
  const imageBytes = sizes.app + sizes.node + BASE_BYTES
  if (imageBytes > MOST_BYTES)
    throw new Error(`the image would hold ${inMb(imageBytes)}, more than ${inMb(MOST_BYTES)}`)

  console.log(`healthy after ${Math.round(startMs)} ms, ${inMb(idle)} resident when idle`)
  console.log(
    `a chat of ${reply.events} events and ${reply.characters} characters to its end; the first administrator invited and signed up; backed up and checked; SIGTERM: 0`,
  )
  console.log(
    `release ${inMb(sizes.app)}, Node ${inMb(sizes.node)}, as an image about ${inMb(imageBytes)} with its base`,
  )
})

function inMb(bytes) {
  return `${(bytes / MB).toFixed(1)} MB`
}

async function untilHealthy(origin) {
  for (;;) {
    const answer = await fetch(`${origin}/api/ready`).catch(() => null)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
