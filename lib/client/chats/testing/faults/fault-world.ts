import { createChatHarness, type ChatHarness, type Script } from '@/lib/server/chats/testing/chat-harness'
import type { ManualClock } from '@/lib/server/chats/testing/manual-clock'
import type { UserMessage } from '@/lib/shared/conversation/conversation'
import type { Store } from '@/lib/server/store/ports/store'
import { allSettled } from '@/lib/shared/calls/message-calls'
import { conversationAt } from '../../../api/address'
import { treePathTo, loadedMessagesOf, isHere } from '@/lib/shared/conversation/message-tree'
import { createFaultBrowser } from './fault-browser'
import { createFaultyApi, fates, type Fate } from './fault-network'
import { openFaultTab, type FaultTab } from './fault-tab'
import { randomOf } from './random'

const call = 'CALL read_file {"path":"/a"}'
const scripts: readonly Script[] = [
  [{ text: 'ok' }, { finish: 'stop' }],
  [{ text: 'slow' }, { pause: 900 }, { text: 'ly' }, { finish: 'stop' }],
  [{ text: call }, { finish: 'stop' }],
  [{ text: `${call}\n${call}` }, { pause: 300 }, { finish: 'stop' }],
]

export interface FaultReport {
  readonly faults: number
  readonly sent: number
  /** Violated guarantees, as text; empty if all is well. */
  readonly wrong: readonly string[]
  readonly deeds: readonly string[]
}

/** A change of a waiting message is over by then. */
const changeMs = 1_200

/** The wall clock of the server, its database and the browser is set by this much. */
const clockSteps = [-86_400_000, -3_600_000, -5_000, 5_000, 3_600_000, 86_400_000]

const wordsOf = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '')

/**
 * Runs one round in a world with faults: a user with some tabs, one browser, one server. The seed decides the actions
 * and faults. At the end everything works again, and each sent message must be in the chat exactly once. `clock` is the
 * store's, too.
 */
export async function runFaultRound(base: Store, seed: number, clock: ManualClock, steps = 24): Promise<FaultReport> {
  const random = randomOf(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T
  // A list of chats is limited, so each round has its own owner.
  const owner = `person-${seed}`
  const browser = createFaultBrowser()
  const deeds: string[] = []
  const executions = new Map<string, number>()
  /**
   * Texts, each used once: accepted by Send; not accepted; taken back while it was unknown whether they had arrived.
   */
  const sent: string[] = []
  const typed = new Set<string>()
  const doubtful = new Set<string>()
  /** Branches that were requested: by an edit, a new reply, or by going back. */
  let asked = 0
  let faults = 0
  let ids = 0
  let words = 0
  let online = true
  let whole = false
  let modelCalls = 0
  let server: { harness: ChatHarness; up: boolean } = startServer()

  function startServer() {
    let up = true
    // A killed process no longer reads or writes.
    const store = new Proxy(base, {
      get(target, name: keyof Store) {
        const method = target[name]
        if (typeof method !== 'function') return method
        return (...args: never[]) =>
          up ? (method as (...a: never[]) => unknown).apply(target, args) : new Promise(() => undefined)
      },
    })
    const harness = createChatHarness(store, { newId: () => `s${seed}-${(ids += 1)}` }, clock)
    for (let count = 0; count < 200; count += 1) harness.script(pick(scripts))
    return {
      harness,
      get up() {
        return up
      },
      set up(value: boolean) {
        if (up && !value) modelCalls += harness.model.doStreamCalls.length
        up = value
      },
    }
  }

  const nextFate = (): Fate => {
    const fate = whole || random() < 0.75 ? 'fine' : pick(fates)
    if (fate !== 'fine') faults += 1
    return fate
  }
  const tabs: FaultTab[] = []
  const open = (path: string, session = new Map<string, string>()): FaultTab => {
    const tab = openFaultTab(
      {
        browser,
        clock,
        newId: () => `c${seed}-${(ids += 1)}`,
        api: (isAlive) =>
          createFaultyApi({
            owner,
            clock,
            service: () => (server.up ? server.harness.service : null),
            isOnline: () => online,
            isAlive,
            nextFate,
            delay: () => 1 + below(60),
            // Fewer than most of these chats have: the rest is loaded where needed.
            last: 2,
          }),
        announce(from, id) {
          for (const other of tabs) if (other.self !== from) queueMicrotask(() => other.chat.changedElsewhere(id))
        },
        takes: () => below(800),
        onExecute: (key) => void executions.set(key, (executions.get(key) ?? 0) + 1),
      },
      session,
    )
    tab.address.path = path
    tab.chat.start()
    tab.chat.actions.open(conversationAt(path) ?? null)
    tabs.push(tab)
    return tab
  }
  const again = (tab: FaultTab, session = tab.session) => {
    tabs.splice(tabs.indexOf(tab), 1)
    return open(tab.address.path, session)
  }
  /** Undecided calls of the last reply, as this tab sees them. */
  const openSlots = (tab: FaultTab) => {
    const { path, calls, conversation, amendments } = tab.view()
    const reply = path.at(-1)
    if (!isHere(reply) || reply.role !== 'assistant' || !conversation) return null
    const listed = tab.readCalls(reply, conversation.settings.tools, amendments.get(reply.id) ?? [])
    return { reply, slots: listed.map(({ slot }) => slot).filter((slot) => !calls.has(`${reply.id}:${slot}`)) }
  }

  const queuedIn = (tab: FaultTab) =>
    tab.outbox
      .all()
      .flatMap(({ entry }) => (entry.conversationId === tab.view().id && entry.after !== undefined ? [entry] : []))

  const newWord = () => `w${(words += 1)}`
  /** Sends the text in the field; a refused text stays there. */
  const say = (tab: FaultTab) => {
    if (tab.field() === '') type(tab)
    const text = tab.field()
    if (tab.send(text)) {
      // Sent from the place the user had gone back to, before the server knew of it: the message names its branch
      // itself.
      asked += Number(tab.outbox.all().some(({ entry }) => entry.text === text && entry.branch === 'back'))
      for (const word of wordsOf(text)) {
        typed.delete(word)
        sent.push(word)
      }
    }
  }
  const type = (tab: FaultTab) => {
    const word = newWord()
    typed.add(word)
    tab.type(`${tab.field()} ${word}`.trim())
  }
  const takeBack = (text: string) => {
    // They may have arrived without a response: then they must be there once.
    for (const word of wordsOf(text)) {
      sent.splice(sent.indexOf(word), 1)
      doubtful.add(word)
    }
  }
  const deedsOf: Readonly<Record<string, (tab: FaultTab) => void | Promise<void>>> = {
    say,
    'say again': say,
    'say once more': say,
    'wait and say': async (tab) => {
      await clock.pass(9_000)
      if (tabs.includes(tab)) say(tab)
    },
    'say in two tabs': () => {
      for (const tab of tabs) say(tab)
    },
    'say while it works': (tab) => {
      decide(tab, 'run')
      say(tab)
    },
    run: (tab) => decide(tab, 'run'),
    'run all': (tab) => decide(tab, 'run'),
    deny: (tab) => decide(tab, 'deny'),
    stop: (tab) => tab.chat.actions.stop(),
    'tell the model': (tab) => {
      const shown = openSlots(tab)
      if (shown) tab.calls.notifyModel(shown.reply.id, 0)
    },
    'try now': (tab) => tab.chat.actions.sendWaiting(),
    type,
    rewrite: async (tab) => {
      const waiting = tab.store.getState().outbox.find(({ sending }) => !sending)?.entry
      if (!waiting) return
      const word = newWord()
      const done = await Promise.race([
        tab.chat.actions.rewriteWaiting(waiting.id, word),
        clock.pass(changeMs).then(() => false),
      ])
      if (!done) return
      takeBack(waiting.text)
      sent.push(word)
    },
    discard: async (tab) => {
      const waiting = tab.store.getState().outbox.find(({ sending }) => !sending)?.entry
      if (!waiting) return
      if (await Promise.race([tab.chat.actions.discardWaiting(waiting.id), clock.pass(changeMs).then(() => false)])) {
        takeBack(waiting.text)
      }
    },
    'send now': async (tab) => {
      const waiting = pick(queuedIn(tab))
      if (waiting) await Promise.race([tab.chat.actions.sendNow(waiting.id), clock.pass(changeMs)])
    },
    'begin an edit': async (tab) => {
      const waiting = pick(queuedIn(tab))
      if (waiting) await Promise.race([tab.chat.actions.holdWaiting(waiting.id, true), clock.pass(changeMs)])
    },
    reload: (tab) => {
      faults += 1
      tab.leave()
      again(tab)
    },
    crash: (tab) => {
      faults += 1
      tab.crash()
      again(tab)
    },
    'close and open': (tab) => {
      faults += 1
      tab.leave()
      again(tab, new Map())
    },
    'second tab': (tab) => {
      if (tabs.length < 3) open(tab.address.path)
    },
    'duplicate tab': (tab) => {
      if (tabs.length < 3) open(tab.address.path, new Map(tab.session))
    },
    'offline and on': () => {
      faults += 1
      online = !online
      if (online) for (const tab of tabs) tab.chat.refresh()
    },
    kill: () => {
      faults += 1
      server.up = false
    },
    'server back': () => {
      if (!server.up) server = startServer()
    },
    'clock set': () => {
      faults += 1
      clock.step(pick(clockSteps))
    },
    focus: (tab) => tab.chat.refresh(),
  }
  const decide = (tab: FaultTab, word: 'run' | 'deny') => {
    const shown = openSlots(tab)
    if (!shown || shown.slots.length === 0) return
    if (word === 'run') tab.calls.run(shown.reply.id, shown.slots)
    else tab.calls.deny(shown.reply.id, shown.slots, 'no')
  }

  const branching: typeof deedsOf = {
    edit: (tab) => {
      const { id } =
        pick(loadedMessagesOf(tab.view().path).filter((row) => row.role === 'user' && row.text !== '')) ?? {}
      const word = newWord()
      if (id !== undefined) void tab.chat.actions.edit(id, word)
      if (!tab.outbox.all().some(({ entry }) => entry.text === word)) return
      asked += 1
      sent.push(word)
    },
    regenerate: (tab) => {
      const reply = tab.view().path.at(-1)
      if (reply?.role !== 'assistant' || tab.view().run) return
      asked += 1
      tab.chat.actions.regenerate(reply.id)
    },
    'go back': (tab) => {
      const row = pick(tab.view().path.filter(({ role }) => role === 'assistant'))
      if (row && tab.chat.actions.goBackTo(row.id)) asked += 1
    },
    'other branch': (tab) => {
      const row = pick([...tab.view().tree.values()])
      if (row) tab.chat.actions.switchBranch(row.id)
    },
  }
  const branches = seed % 3 === 0
  const all = branches ? { ...deedsOf, ...branching } : deedsOf
  const names = Object.keys(all)
  open('/')
  await clock.pass(200)
  say(tabs[0] as FaultTab)
  for (let step = 0; step < steps; step += 1) {
    const name = pick(names)
    const at = below(tabs.length)
    deeds.push(`${name} (${at})`)
    await all[name]?.(tabs[at] as FaultTab)
    await clock.pass(pick([0, 1, 20, 120, 700, 4_000]))
  }

  // Everything works again, and a user looks at every tab.
  whole = true
  online = true
  if (!server.up) server = startServer()
  const conversations = new Set<string>()
  for (let turn = 0; turn < 20; turn += 1) {
    for (const tab of tabs) {
      tab.chat.refresh()
      tab.chat.actions.sendWaiting()
      const id = tab.view().id
      if (tab.view().phase === 'ready') conversations.add(id)
      const shown = openSlots(tab)
      if (shown?.reply.outcome === 'finished' && turn > 2 && turn < 5) {
        if (shown.slots.length > 0) tab.calls.deny(shown.reply.id, shown.slots, '')
        else tab.calls.notifyModel(shown.reply.id, 0)
      }
      // Messages that wait for the user: after a stop, on another branch, or while edited.
      const [first] = turn > 4 && !tab.view().run ? queuedIn(tab) : []
      if (first) void tab.chat.actions.sendNow(first.id)
    }
    await clock.pass(40_000)
  }
  modelCalls += server.harness.model.doStreamCalls.length

  // The guarantees.
  const wrong: string[] = []
  const { service } = server.harness
  const listed = await service.list(owner, '')
  for (const row of listed) if (row.id.startsWith(`c${seed}-`)) conversations.add(row.id)
  const said = new Map<string, number>()
  let replies = 0
  let forks = 0
  for (const id of conversations) {
    const view = await service.view(owner, id)
    if (view.activeRunId !== null) wrong.push(`a run of ${id} never ends`)
    const shown = new Set(treePathTo(new Map(view.messages.map((row) => [row.id, row])), view.conversation.headId))
    const there = [...shown].map((row) => row.id).join(' ')
    for (const tab of tabs) {
      const { id: shownId, phase, path } = tab.view()
      const here = path.map((row) => row.id).join(' ')
      // With several branches, two tabs may show two of them.
      if (!branches && shownId === id && phase === 'ready' && here !== there)
        wrong.push(`a tab shows ${here}, the server ${there}`)
    }
    const parents = new Set<string | null>()
    for (const row of view.messages) {
      if (!branches && !shown.has(row))
        wrong.push(`${row.role} ${row.text || '(results)'} stands on a branch that nobody asked for`)
      forks += Number(parents.has(row.parentId))
      parents.add(row.parentId)
      if (row.role === 'assistant') replies += 1
      else for (const word of wordsOf(row.text)) said.set(word, (said.get(word) ?? 0) + 1)
    }
    // An edit sends the same results again, and a user who went to another branch left some unsent.
    if (branches) continue
    const results = view.messages.filter((row): row is UserMessage => row.role === 'user' && row.results.length > 0)
    const posts = new Map<string, number>()
    for (const row of results) posts.set(row.parentId ?? '', (posts.get(row.parentId ?? '') ?? 0) + 1)
    for (const [reply, times] of posts) if (times > 1) wrong.push(`the results of ${reply} went ${times} times`)
    for (const reply of view.messages) {
      if (reply.role !== 'assistant' || reply.outcome !== 'finished') continue
      const calls = (tabs[0] as FaultTab).readCalls(reply, view.conversation.settings.tools, [])
      const recordOf = (slot: number) => view.calls.find((one) => one.messageId === reply.id && one.slot === slot)
      if (calls.length > 0 && allSettled(calls, recordOf, 20) && !posts.has(reply.id)) {
        wrong.push(`the results of ${reply.id} were never sent`)
      }
    }
  }
  for (const text of sent)
    if (said.get(text) !== 1) wrong.push(`${text} was sent once and stands ${said.get(text) ?? 0} times`)
  for (const [text, times] of said)
    if (!sent.includes(text) && !(doubtful.has(text) && times === 1))
      wrong.push(`${text} was never sent and stands ${times} times`)
  for (const [key, times] of executions) if (times > 1) wrong.push(`${key} ran ${times} times`)
  if (forks > asked) wrong.push(`${forks} branches stand where ${asked} were asked for`)
  if (modelCalls > replies) wrong.push(`${modelCalls} calls of the model for ${replies} replies`)
  for (const key of browser.saved.keys()) if (key.startsWith('nod:outbox:')) wrong.push(`${key} still waits`)
  const drafts = new Set(
    [...browser.saved].flatMap(([key, text]) => (key.startsWith('nod:draft:') ? wordsOf(text) : [])),
  )
  for (const word of typed) if (!drafts.has(word)) wrong.push(`${word} was typed and is in no field`)
  for (const word of sent) if (drafts.has(word)) wrong.push(`${word} was sent and stands in a field`)
  for (const tab of tabs) tab.crash()
  server.up = false
  return { faults, sent: sent.length, wrong, deeds }
}
