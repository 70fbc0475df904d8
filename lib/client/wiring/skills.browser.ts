import { wallClock } from '@/lib/base/clocks'
import { indexedDbOrNull, localStorageOrNull, openChannel } from '@/lib/base/features.browser'
import { withBase } from '@/lib/base/base-path'
import { personDatabases } from '@/lib/client/browser/person-databases'
import { storageSpace } from '@/lib/client/outbox/outbox'
import { createChatSkills, createSkillRecords } from '@/lib/client/skills/chat-skills'
import { type OwnSkill, ownSkills } from '@/lib/shared/skills/skill-path'
import type { SkillFile } from '@/lib/shared/skills/skill'
import type { ClientState } from '@/lib/client/state/state'
import { openCopy } from '@/lib/shared/calls/copy'
import type { ChatRequest } from '@/lib/shared/conversation/wire/api-types'
import type { SkillLine } from '@/lib/protocols/prompt/skill-lines'
import { pageWho } from './nod-api.browser'
import { toolRuntimes } from './tool-runtimes.browser'
import { loadPart } from '@/lib/i18n/load-part'
import type { Asked } from '@/lib/client/mcp/remote-server'
import type { Offer, OfferedSkill } from '@/lib/shared/mcp/offers'
import { mayHaveToolServers } from './noted.browser'
import { skillsKey } from './tools/chat-tools.browser'

// Loaded by `import()` when someone views skills or has approved one, so that the first load stays small.

const listeners = new Set<() => void>()
const channel = openChannel('nod:skills')
const notifyPage = () => {
  for (const listener of listeners) listener()
}
channel.addEventListener('message', notifyPage)

const factory = (): IDBFactory => {
  const found = indexedDbOrNull()
  if (!found) throw new Error('this browser keeps no data for this page')
  return found
}

const records = createSkillRecords(factory, personDatabases(pageWho).skills)

/** From now on each prompt includes the chat's skills. */
function note(): void {
  const shared = localStorageOrNull()
  if (shared) storageSpace(shared, pageWho).setItem(skillsKey, '1')
}

export const chatSkills = createChatSkills({
  records,
  async filesOf(chatId, copyId) {
    const runtime = await toolRuntimes.get(chatId)
    return (copyId === undefined ? undefined : runtime.openCopy?.(copyId).files) ?? runtime.vfs
  },
  now: wallClock,
  changed() {
    note()
    notifyPage()
    channel.postMessage(null)
  },
})

/**
 * Called after a change of the stored skills, in any tab, and of the chat's files. Returns the function that ends it.
 */
export function watchSkills(chatId: string, listener: () => void): () => void {
  listeners.add(listener)
  let unwatch: (() => void) | null = null
  let isOver = false
  const watch = async () => {
    const { vfs } = await toolRuntimes.get(chatId)
    if (!isOver) unwatch = vfs.watch(listener)
  }
  // If the files can't be opened, reading them reports that.
  void watch().catch(() => {})
  return () => {
    isOver = true
    listeners.delete(listener)
    unwatch?.()
  }
}

/**
 * The skills of a request: those whose text was approved and is in the files now. A new chat first gets those of the
 * shelf. Never rejects.
 */
export async function skillsOfRequest(
  { open }: Pick<ClientState, 'open'>,
  { conversationId, create }: Pick<ChatRequest, 'conversationId' | 'create'>,
): Promise<Pick<ChatRequest, 'skills'>> {
  try {
    if (create !== undefined) await chatSkills.begin(conversationId)
    const copyId = openCopy(open.get(conversationId)?.grants ?? [])?.id
    const skills = await chatSkills.lines(conversationId, copyId)
    return skills.length === 0 ? {} : { skills }
  } catch (error) {
    console.error('The skills of a chat could not be read.', error)
    return {}
  }
}

/** The current skills in a chat's prompt, for a preview; none if they can't be read. */
export async function skillsOfPrompt(chatId: string): Promise<readonly SkillLine[]> {
  try {
    return await chatSkills.lines(chatId)
  } catch {
    return []
  }
}

/** The files of a skill that comes with this build. Rejects if the server does not answer. */
export const loadOwnSkill = (name: OwnSkill): Promise<readonly SkillFile[]> =>
  Promise.all(
    ownSkills[name].map(async (path) => {
      const answer = await fetch(withBase(`/skills/${name}/${path}`))
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
      return { path, data: new Uint8Array(await answer.arrayBuffer()) }
    }),
  )

/** A tool server that may offer skills. */
export interface SkillServer {
  readonly id: string
  readonly name: string
}

const loadServers = async () => (await loadPart(() => import('./tools/tool-servers.browser'))).toolServers

/** The enabled tool servers; no request is made. */
export async function skillServers(): Promise<readonly SkillServer[]> {
  if (localStorageOrNull() === null || !mayHaveToolServers()) return []
  const servers = await loadServers()
  await servers.load()
  return (servers.getState() ?? [])
    .map(({ server }) => server)
    .filter(({ isOn }) => isOn)
    .map(({ id, name }) => ({ id, name }))
}

/** A server's skills; the failure of a server that the operator runs has a sentence. */
export async function skillsOfServer(id: string): Promise<Asked<readonly OfferedSkill[]>> {
  const answer = await (await loadServers()).offer(id, { ask: 'skills' })
  return answer.ok ? { ok: true, value: answer.value.skills ?? [] } : answer
}

/** The files of a skill, checked against the digests that the server named before. It fails if any is missing. */
export async function filesOfServer(id: string, uri: string): Promise<Asked<NonNullable<Offer['files']>>> {
  const answer = await (await loadServers()).offer(id, { ask: 'skill', uri })
  return answer.ok ? { ok: true, value: answer.value.files ?? [] } : answer
}
