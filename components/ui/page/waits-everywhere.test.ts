import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

/*
 * Checks that every wait is shown in the same way: if a button is disabled because something is pending, `Wait` says
 * what, or the file is listed below with the component that does. Checked by name, because types don't show it.
 */

const underWay =
  /\bdisabled=\{[^}]*(?:\b(?:busy|asking|asks|saving|sending|loading)\b|is(?:Busy|Saving|Sending|Asking)\b|\.busy\b|'saves')/
const says = /<Wait\b|\bwaits=\{|<Progress\b/

const elsewhere: Readonly<Record<string, string>> = {
  // The thread shows a reply in progress.
  'components/files/changes/restore-link.tsx': 'the thread',
  'components/thread/compare/compare-dialog.tsx': 'its own columns',
  'components/files/restore-button.tsx': 'the thread',
  'components/thread/message-frame.tsx': 'the thread',
  // The button's own label changes.
  'components/chat/model-problems.tsx': 'the button',
  'components/chat/picker/model-picker.tsx': 'the button',
  'components/export/shared-chat-page.tsx': 'the button',
  // A line of its own says what the message waits for.
  'components/thread/waiting-messages.tsx': 'waiting-words.ts',
  // Beside it, in the same view.
  'components/tool-call/result-approval/found-secrets.tsx': 'result-approval-actions.tsx',
  'components/tool-call/result-approval/result-approval-toolbar.tsx': 'result-approval-actions.tsx',
}

const root = path.resolve(import.meta.dirname, '../../..')
const sources = ['app', 'components'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx') && !name.endsWith('.test.tsx'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
)

it('every disabled control comes with a message about what is pending', () => {
  const waiting = sources.filter((name) => underWay.test(readFileSync(path.join(root, name), 'utf8')))
  expect(waiting.length).toBeGreaterThan(20)
  const silent = waiting.filter((name) => !says.test(readFileSync(path.join(root, name), 'utf8')))
  expect(silent.toSorted()).toEqual(Object.keys(elsewhere).toSorted())
})

it('navigation to other pages uses the function that shows it', () => {
  const past = sources.filter((name) =>
    /(?<!changePage\(\(\) => )\b(?:router|useRouter\(\))\.(?:push|replace)\(/.test(
      readFileSync(path.join(root, name), 'utf8'),
    ),
  )
  expect(past).toEqual([])
})

it('files are picked with our own buttons, because the browser labels its own in its language', () => {
  const own = sources.filter((name) => /type=["'{]+file\b/.test(readFileSync(path.join(root, name), 'utf8')))
  expect(own).toEqual(['components/ui/forms/file-field.tsx'])
  expect(readFileSync(path.join(root, 'components/ui/forms/file-field.tsx'), 'utf8')).toMatch(/type="file"\s+hidden\b/)
  // Each field has a button that opens it.
  const closed = sources.filter((name) => {
    const source = readFileSync(path.join(root, name), 'utf8')
    return [...source.matchAll(/<FileField\s+field=\{(\w+)\}/g)].some(
      ([, field]) => !source.includes(`${field}.current?.click()`),
    )
  })
  expect(closed).toEqual([])
})
