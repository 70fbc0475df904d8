// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import type { ConnectFailure } from '@/lib/shared/mcp/call-answer'
import type { IncomingSkill } from '@/lib/client/skills/import-skills'
import type { filesOfServer, skillsOfServer } from '@/lib/client/wiring/skills.browser'
import { FromServer } from './from-server'

const server = vi.hoisted(() => ({
  list: vi.fn<typeof skillsOfServer>(),
  read: vi.fn<typeof filesOfServer>(),
}))
vi.mock('@/lib/client/wiring/skills.browser', () => ({
  skillServers: () => Promise.resolve([{ id: 's', name: 'Library' }]),
  skillsOfServer: server.list,
  filesOfServer: server.read,
}))
afterEach(() => {
  cleanup()
  vi.resetAllMocks()
})

const listed = [{ uri: 'skill://pdf/SKILL.md', name: 'pdf', about: 'Sums\u200b up.', files: 1, bytes: 40 }]
const sent = (path: string, text: string) => ({ path, base64: btoa(text) })

async function opened() {
  const onAdd = vi.fn<(skills: readonly IncomingSkill[]) => void>()
  render(<FromServer disabled={false} onAdd={onAdd} />)
  const user = userEvent.setup()
  const list = await screen.findByRole('button', { name: 'List its skills' })
  expect(server.list).not.toHaveBeenCalled()
  await user.click(list)
  return { onAdd, user }
}

it('asks a server when its button is pressed, and copies a skill without paths that lead outside', async () => {
  server.list.mockResolvedValue({ ok: true, value: listed })
  server.read.mockResolvedValue({
    ok: true,
    value: [sent('SKILL.md', '---\nname: pdf\ndescription: Sums up.\n---\n'), sent('../evil.py', 'x')],
  })
  const { onAdd, user } = await opened()
  expect(server.read).not.toHaveBeenCalled()
  await user.click(await screen.findByRole('button', { name: 'Add pdf' }))
  expect(server.read).toHaveBeenCalledWith('s', 'skill://pdf/SKILL.md')
  expect(onAdd.mock.calls[0]?.[0].map(({ name, files }) => [name, files.map(({ path }) => path)])).toEqual([
    ['pdf', ['SKILL.md']],
  ])
})

const fails = (failure: ConnectFailure) => ({ ok: false, failure }) as const
const fine = <T,>(value: T) => ({ ok: true, value }) as const

it.each([
  ['cannot be asked', fails({ kind: 'unread' }), fine([]), /Library could not be asked/],
  ['of the operator cannot be asked', fails({ kind: 'relay', message: 'It rests.' }), fine([]), /^It rests\.$/],
  ['has none', fine([]), fine([]), /Library has no skills/],
  ['sends another file than it announced', fine(listed), fails({ kind: 'unread' }), /sent differ from its list/],
  ['of the operator sends too much', fine(listed), fails({ kind: 'relay', message: 'Too large.' }), /^Too large\.$/],
  ['sends what is no skill', fine(listed), fine([sent('README.md', 'x')]), /There is no SKILL\.md/],
] as const)('says that a server %s, and adds nothing', async (_name, found, files, why) => {
  server.list.mockResolvedValue(found)
  server.read.mockResolvedValue(files)
  const { onAdd, user } = await opened()
  const add = found.ok && found.value.length > 0 ? await screen.findByRole('button', { name: 'Add pdf' }) : null
  if (add) await user.click(add)
  expect((await screen.findByRole('alert')).textContent).toMatch(why)
  expect(onAdd).not.toHaveBeenCalled()
})
