import { readReturned } from '@/lib/client/mcp/sign-in/returned'
import type { SignInResult, SignInStep } from '@/lib/client/mcp/sign-in/sign-in-steps'
import { contentOf, readServerQuestion } from '@/lib/shared/mcp/server-question'
import type { AskUser } from '@/lib/shared/mcp/session'
import { openWorker } from '@/lib/client/mcp/testing/worker'

// Started by the official suite for each scenario: our worker's own code against the address in the last argument. Only
// the environment is replaced: fetch, and instead of a sign-in window, following the redirect of an authorization
// server that consents immediately.

const url = process.argv.at(-1) ?? ''
const given = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as Readonly<Record<string, string>>
/** What a user pastes who registered a client there. */
const pasted = given['client_id']
  ? { id: given['client_id'], secret: given['client_secret'] ?? given['private_key_pem'] ?? '' }
  : null
/** A user would not sign in more often for one call. */
const MAX_SIGN_INS = 3

// A server that keeps the suite waiting is a failure, and the suite waits for this process.
setTimeout(() => process.exit(1), 20_000)

const remote = openWorker(url, (input, init) => fetch(input, init))

async function take<T extends SignInResult['is']>(step: SignInStep, is: T): Promise<Extract<SignInResult, { is: T }>> {
  const answer = await remote.signIn(step)
  if (!answer.ok || answer.value.is !== is) throw new Error(`the sign-in ends: ${JSON.stringify(answer)}`)
  return answer.value as Extract<SignInResult, { is: T }>
}

async function signIn(): Promise<void> {
  const documentAt = 'https://conformance-test.local/client-metadata.json'
  const { offer } = await take(
    { step: 'find', url, redirectTo: 'http://127.0.0.1:9/signed-in.html', documentAt },
    'found',
  )
  if (offer.way === 'app') return void (await take({ step: 'begin', client: pasted, keep: false }, 'signed-in'))
  const { address } = await take({ step: 'begin', client: pasted, keep: false }, 'begun')
  const window = await fetch(address, { redirect: 'manual' })
  await take({ step: 'finish', returned: readReturned(new URL(window.headers.get('location') ?? '')) }, 'signed-in')
}

/** A user who changes nothing in the form. */
const answerAsSuggested: AskUser = async (params) => {
  const question = readServerQuestion(params, new URL(url).host)
  if (question.kind !== 'form') return { action: 'cancel' }
  const values = question.fields.map(({ initial }) => initial)
  const content = contentOf(question.fields, values)
  return content.ok ? { action: 'accept', content: content.value } : { action: 'cancel' }
}

/** Connects, lists, and calls every tool. False if a sign-in is needed. */
async function visit(): Promise<boolean> {
  const connected = await remote.connect(url, 'auto')
  if (!connected.ok) {
    if (connected.failure.kind === 'sign-in') return false
    throw new Error(`not connected: ${JSON.stringify(connected.failure)}`)
  }
  const listed = await remote.list()
  if (!listed.ok) {
    if (listed.failure.kind === 'sign-in') return false
    throw new Error(`not listed: ${JSON.stringify(listed.failure)}`)
  }
  for (const tool of listed.value as unknown as readonly { readonly name: string }[]) {
    const args = tool.name === 'add_numbers' ? { a: 5, b: 3 } : {}
    const answer = await remote.call(
      { name: tool.name, args, timeoutMs: 30_000 },
      { signal: new AbortController().signal, onProgress: () => {}, onAsk: answerAsSuggested },
    )
    if (answer.kind === 'not-sent' && answer.failure.kind === 'sign-in') return false
    if (answer.kind !== 'answered') throw new Error(`${tool.name} is not answered: ${JSON.stringify(answer)}`)
  }
  return true
}

for (let signIns = 0; !(await visit()); signIns += 1) {
  if (signIns === MAX_SIGN_INS) throw new Error('it wants one sign-in after the other')
  await signIn()
}
process.exit(0)
