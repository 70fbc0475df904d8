import { describe, expect, it, vi } from 'vitest'
import { undoDeletionMs } from '@/lib/shared/conversation/search/list-filter'
import { memoryTool, type Memory, type Project, type ProjectToAdd } from '@/lib/shared/conversation/settings/project'
import { defaultSettings } from '@/lib/shared/conversation/settings/settings'
import { contextOf, createMemories, createProjectList, type ProjectApi } from './project-list'

const refused = { ok: false, error: { code: 'conflict', status: 409, message: 'No.' } } as never
const ok = (value: unknown) => Promise.resolve({ ok: true, value } as never)

/** A server with projects in memory. */
function serve() {
  const rows = new Map<string, ProjectToAdd>()
  const memories = new Map<string, Memory>()
  const projectOf = ({ id, name, instructions, setup }: ProjectToAdd): Project => ({
    id,
    name,
    instructions,
    setup,
    chats: 2,
  })
  const api: ProjectApi = {
    list: () => ok([...rows.values()].map(projectOf)),
    add(project) {
      rows.set(project.id, project)
      memories.set(project.id, { text: project.memory ?? '', version: 1, earlier: [] })
      return ok(projectOf(project))
    },
    change: () => ok(null),
    remove(id) {
      rows.delete(id)
      memories.delete(id)
      return ok(undefined)
    },
    memory: (place) => {
      const memory = memories.get('chat' in place ? place.chat : (place.project ?? ''))
      return memory ? ok(memory) : Promise.resolve(refused)
    },
    changeMemory: (place, { text, version }) => {
      if ('chat' in place || memories.get(place.project ?? '')?.version !== version) return Promise.resolve(refused)
      const memory = { text, version: version + 1, earlier: [] }
      memories.set(place.project ?? '', memory)
      return ok(memory)
    },
  }
  return { api, rows, memories }
}

function open() {
  const served = serve()
  const timers: (() => void)[] = []
  const deleteChats = vi.fn<(ids: readonly string[], deleted: boolean) => Promise<string | null>>(async () => null)
  const [forgetFiles, announce] = [vi.fn<(id: string) => void>(), vi.fn<() => void>()]
  const list = createProjectList({
    api: served.api,
    deleteChats,
    forgetFiles,
    announce,
    schedule(task, ms) {
      expect(ms).toBe(undoDeletionMs)
      timers.push(task)
      return () => void timers.splice(timers.indexOf(task), 1)
    },
  })
  return { ...served, list, timers, deleteChats, forgetFiles, announce }
}

const boat: ProjectToAdd = { id: 'p', name: 'Boat', instructions: 'Sail.', setup: null, memory: 'Red sails.' }

describe('deleting a project', () => {
  it('can be undone, with its memory and the chats that were deleted with it', async () => {
    const { list, rows, memories, deleteChats, forgetFiles } = open()
    await list.add(boat)
    const [project] = list.getState().projects ?? []
    expect(await list.remove(project!, ['c1'])).toBe(true)
    expect(rows.size).toBe(0)
    expect(list.getState()).toMatchObject({ projects: [], deleted: { chats: ['c1'], project: boat } })
    expect(await list.undo()).toBe(true)
    expect(deleteChats.mock.calls).toEqual([
      [['c1'], true],
      [['c1'], false],
    ])
    expect(memories.get('p')?.text).toBe('Red sails.')
    expect(list.getState().deleted).toBeNull()
    expect(forgetFiles).not.toHaveBeenCalled()
  })

  it('deletes its files once it can’t be undone', async () => {
    const { list, timers, forgetFiles } = open()
    await list.add(boat)
    await list.remove(list.getState().projects![0]!, [])
    timers[0]?.()
    expect(forgetFiles).toHaveBeenCalledExactlyOnceWith('p')
    expect(await list.undo()).toBe(false)
  })

  it('keeps the project when its chats could not be deleted, and says why', async () => {
    const { list, rows, deleteChats } = open()
    await list.add(boat)
    deleteChats.mockResolvedValueOnce('The server is away.')
    expect(await list.remove(list.getState().projects![0]!, ['c1'])).toBe(false)
    expect(rows.size).toBe(1)
    expect(list.getState().problem).toBe('The server is away.')
  })
})

describe('memories', () => {
  it('are changed from the version that was read, and loaded again after others changed them', async () => {
    const { api, memories } = serve()
    const announce = vi.fn<() => void>()
    const made = createMemories(api, announce)
    memories.set('', { text: 'One.', version: 1, earlier: [] })
    expect(await made.load(null)).toBeNull()
    expect(await made.change(null, { text: 'Two.', version: 0 })).toBe('No.')
    expect(made.getState().get('')?.text).toBe('One.')
    expect(announce).not.toHaveBeenCalled()
    expect(await made.change(null, { text: 'Two.', version: 1 })).toBeNull()
    expect(announce).toHaveBeenCalledOnce()
    memories.set('', { text: 'Three.', version: 9, earlier: [] })
    await made.refresh()
    expect(made.getState().get('')).toMatchObject({ text: 'Three.', version: 9 })
  })

  it('are part of a prompt only where the chat uses them', () => {
    const { tools } = defaultSettings('demo')
    const project = { id: 'p', name: 'Boat', instructions: 'Sail.', setup: null, chats: 0 }
    const memories = new Map([['', { text: 'Mine.', version: 1, earlier: [] }]])
    const used = { tools: { ...tools, toolToggles: { [memoryTool]: true } } }
    expect(contextOf({ settings: { tools }, project: 'p' }, [project], memories)).toEqual({ project })
    expect(contextOf({ settings: used, project: 'gone' }, [project], memories)).toEqual({
      memory: { user: 'Mine.', project: '' },
    })
    expect(contextOf({ settings: { tools }, project: undefined }, null, memories)).toBeUndefined()
  })
})
