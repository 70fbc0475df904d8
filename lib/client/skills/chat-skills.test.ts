import { IDBFactory } from 'fake-indexeddb'
import { beforeEach, describe, expect, it } from 'vitest'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import type { Vfs } from '@/lib/vfs/vfs'
import { skillSizeLimits, type SkillFile } from '@/lib/shared/skills/skill'
import { createChatSkills, type ChatSkills, createSkillRecords } from './chat-skills'

const bytes = (text: string) => new TextEncoder().encode(text)
const skill = (name: string, description = 'Sums up.'): readonly SkillFile[] => [
  { path: 'SKILL.md', data: bytes(`---\nname: ${name}\ndescription: ${description}\n---\nDo it.`) },
  { path: 'scripts/run.py', data: bytes('print(1)') },
]

let files: Map<string, Vfs>
let skills: ChatSkills
let told: number

beforeEach(() => {
  files = new Map()
  told = 0
  let time = 0
  const factory = new IDBFactory()
  skills = createChatSkills({
    records: createSkillRecords(() => factory, 'nod:skills'),
    filesOf: async (chatId, copyId) => {
      const key = copyId ?? chatId
      const vfs = files.get(key) ?? createMemoryVfs({ now: () => 0 })
      files.set(key, vfs)
      return vfs
    },
    now: () => (time += 1),
    changed: () => void (told += 1),
  })
})

const states = async (chat = 'one') => {
  const found = await skills.all(chat)
  if (!found.ok) throw new Error(found.error.message)
  return found.value.map(({ name, state }) => [name, state])
}
const only = async (chat = 'one') => {
  const found = await skills.all(chat)
  const [first] = found.ok ? found.value : []
  if (!first) throw new Error('there is no skill')
  return first
}
const approve = async (chat = 'one') => {
  const { name, hash } = await only(chat)
  return skills.approve(chat, name, hash)
}
const vfsOf = (chat = 'one'): Vfs => {
  const vfs = files.get(chat)
  if (!vfs) throw new Error('no files')
  return vfs
}

describe('what the model gets of skills', () => {
  it('is nothing in a chat without skills', async () => {
    expect(await skills.lines('one')).toEqual([])
  })

  it('is a skill once its text was approved', async () => {
    await skills.put('one', 'pdf', skill('pdf'))
    expect(await states()).toEqual([['pdf', 'new']])
    expect(await skills.lines('one')).toEqual([])
    expect(await approve()).toBeNull()
    expect(await skills.lines('one')).toEqual([{ name: 'pdf', description: 'Sums up.' }])
  })

  it.each([
    [
      'its text changes',
      (vfs: Vfs) => vfs.write('/skills/pdf/SKILL.md', bytes('---\nname: pdf\ndescription: Else.\n---\n')),
    ],
    ['a script changes', (vfs: Vfs) => vfs.write('/skills/pdf/scripts/run.py', bytes('print(2)'))],
    ['a file comes', (vfs: Vfs) => vfs.write('/skills/pdf/more.md', bytes('x'))],
    ['a file goes', (vfs: Vfs) => vfs.remove('/skills/pdf/scripts/run.py')],
    ['a file moves', (vfs: Vfs) => vfs.move('/skills/pdf/scripts/run.py', '/skills/pdf/run.py')],
  ])('is a skill no longer when %s, whoever did it, until that is approved', async (_name, change) => {
    await skills.put('one', 'pdf', skill('pdf'))
    await approve()
    const done = await change(vfsOf())
    expect(done.ok).toBe(true)
    expect([await states(), await skills.lines('one')]).toEqual([[['pdf', 'changed']], []])
    expect((await only()).before?.files).toHaveLength(2)
    await approve()
    expect(await skills.lines('one')).toHaveLength(1)
  })

  it('comes from the copy while the chat works on one', async () => {
    await skills.put('one', 'pdf', skill('pdf'))
    await approve()
    files.set('copy', createMemoryVfs({ now: () => 0 }))
    await vfsOf('copy').write('/skills/pdf/SKILL.md', bytes('---\nname: pdf\ndescription: Mine.\n---\n'))
    expect(await skills.lines('one', 'copy')).toEqual([])
    expect(await skills.lines('one')).toHaveLength(1)
  })

  it('leaves out a skill that is off in this chat', async () => {
    await skills.put('one', 'pdf', skill('pdf'))
    await approve()
    await skills.setOff('one', 'pdf', true)
    expect(await skills.lines('one')).toEqual([])
    await skills.put('two', 'pdf', skill('pdf'))
    expect(await skills.lines('two')).toHaveLength(1)
    await skills.setOff('one', 'pdf', false)
    expect(await skills.lines('one')).toHaveLength(1)
  })
})

describe('an approval', () => {
  it('is for the text that was viewed', async () => {
    await skills.put('one', 'pdf', skill('pdf'))
    const { hash } = await only()
    await vfsOf().write('/skills/pdf/scripts/run.py', bytes('steal()'))
    expect(await skills.approve('one', 'pdf', hash)).toMatch(/changed while you looked/)
    expect(await skills.lines('one')).toEqual([])
  })

  it('applies to other chats, and to an older text too', async () => {
    await skills.put('one', 'pdf', skill('pdf'))
    await approve()
    await skills.put('two', 'pdf', skill('pdf', 'Newer.'))
    expect(await states('two')).toEqual([['pdf', 'changed']])
    await approve('two')
    expect([await states('one'), await states('two')]).toEqual([[['pdf', 'approved']], [['pdf', 'approved']]])
  })

  it('cannot be given by the files themselves', async () => {
    await skills.put('one', 'pdf', skill('pdf'))
    await vfsOf().write('/skills/.approved', bytes((await only()).hash))
    await vfsOf().write('/approved/pdf', bytes((await only()).hash))
    expect(await skills.lines('one')).toEqual([])
  })
})

describe('folders that are not skills', () => {
  it('are listed with their problem, and never sent to the model', async () => {
    await skills.put('one', 'bad', [{ path: 'README.md', data: bytes('x') }])
    await skills.put('one', 'other', skill('name'))
    const found = await skills.all('one')
    expect(found.ok && found.value.map(({ read }) => 'kind' in read && read.kind)).toEqual([
      'no-skill-file',
      'other-name',
    ])
    for (const { name, hash } of found.ok ? found.value : []) await skills.approve('one', name, hash)
    expect(await skills.lines('one')).toEqual([])
  })

  it('are not read if they are too large', async () => {
    await skills.put('one', 'big', [
      ...skill('big'),
      { path: 'x', data: new Uint8Array(skillSizeLimits.fileBytes + 1) },
    ])
    expect(await states()).toEqual([['big', 'flawed']])
  })
})

describe('the skills for new chats', () => {
  it('copies its skills to a new chat, with their approvals', async () => {
    await skills.put('one', 'pdf', skill('pdf'))
    await approve()
    await skills.keep('one', 'pdf')
    expect((await only()).isOnShelf).toBe(true)
    await skills.begin('two')
    expect(await skills.lines('two')).toHaveLength(1)
    await skills.takeOff('pdf')
    await skills.begin('three')
    expect(await states('three')).toEqual([])
  })

  it('gives them once: a skill removed before the first message stays removed', async () => {
    await skills.put('one', 'pdf', skill('pdf'))
    await skills.keep('one', 'pdf')
    await skills.begin('two')
    await skills.remove('two', 'pdf')
    await skills.begin('two')
    expect(await states('two')).toEqual([])
  })
})

it('notifies the page of each change', async () => {
  await skills.put('one', 'pdf', skill('pdf'))
  await approve()
  await skills.setOff('one', 'pdf', true)
  await skills.remove('one', 'pdf')
  expect(told).toBe(4)
})
