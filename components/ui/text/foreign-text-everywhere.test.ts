import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

/*
 * Checks that foreign text is rendered in one way. Checked by name, because types don't distinguish a path from our own
 * text: a value with one of these names must be rendered with `ForeignText`, `ForeignName`, `SentenceText` or
 * `visibleText`, or be listed below with a reason. Relies on Prettier's format: `{x}` is JSX, `{ x }` is an object.
 */

const foreignNames = new Set(
  (
    'path title head reason message problem note url href detail error raw wanted folder sentence told query label name ' +
    'text file from to part line code key'
  ).split(' '),
)

/** The app's own values with such a name, by file. */
const ours: Readonly<Record<string, readonly string[]>> = {
  // Names of packages that we chose, from the build.
  'app/(pages)/licences/licence-list.tsx': ['name', 'text'],
  // Names of pages, facts, settings and columns that we chose.
  'components/admin/server-health.tsx': ['name', 'limit.name'],
  // The initial text of a title editor.
  'components/chat/chat-header.tsx': ['title'],
  'components/conversations/nav-item.tsx': ['title'],
  // Names of chat groups and chat actions.
  'components/commands/palette-dialog.tsx': ['label'],
  'components/conversations/chat-rows.tsx': ['group.title'],
  'components/conversations/long-list.tsx': ['line.title'],
  'components/conversations/organise/organise-chats.tsx': ['title'],
  'components/conversations/organise/tag-dialog.tsx': ['title'],
  'components/files/viewer/json-view.tsx': ['line'],
  'components/lab/lab-form.tsx': ['label'],
  'components/lab/lab-styles.tsx': ['title', 'label'],
  // Its foreign parts were marked when they were inserted.
  'components/markdown/diagram/drawn-diagram.tsx': ['name'],
  'components/markdown/footnotes.tsx': ['label'],
  'components/markdown/table.tsx': ['label'],
  'components/playground/prompt-panel.tsx': ['part.text'],
  'components/playground/playground.tsx': ['tool.spec.name'],
  'components/playground/run-panel.tsx': ['tool.spec.name', 'part'],
  // Parameter names are ASCII letters, even in registered tools.
  'components/schema-form/schema-form.tsx': ['name'],
  'components/settings/approval-section.tsx': ['label'],
  'components/settings/prompt-section.tsx': ['name'],
  'components/settings/drawer-sections.tsx': ['part.title'],
  'components/settings/tools-section.tsx': ['tool.spec.name'],
  // The rendering components themselves.
  'components/ui/text/foreign-text.tsx': ['text', 'label'],
  'components/ui/text/plain-text.tsx': ['text'],
  'components/ui/controls/copy-button.tsx': ['label'],
  'components/ui/code/json-tree.tsx': ['key'],
  // We name the parts.
  'components/ui/page/page-head.tsx': ['title'],
  'components/ui/page/part-failure.tsx': ['sentence'],
  'components/ui/forms/segmented-control.tsx': ['option.label'],
  'components/ui/forms/select.tsx': ['option.label', 'label'],
  'components/ui/forms/switch.tsx': ['label'],
  'components/ui/forms/tabs.tsx': ['item.label'],
  // Our own texts: starter prompts, built-in tools, menu groups, list names.
  'components/composer/pick/options.tsx': ['label'],
  'components/presets/prompt-editor.tsx': ['title'],
  'components/presets/starter-rows.tsx': ['starter.name'],
  'components/tool-call/words/tool-name.tsx': ['label', 'name'],
  'components/ui/popups/menu.tsx': ['name'],
  // Marked where `data-tip` is set.
  'components/ui/popups/tooltips.tsx': ['shown.text'],
}

function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const name = path.posix.join(folder, entry.name)
    if (entry.isDirectory()) yield* sources(name)
    else if (name.endsWith('.tsx') && !/\.test\.tsx$|\/testing\//.test(name)) yield name
  }
}

const lastName = (expression: string) => expression.replaceAll(/[?!]/g, '').split('.').at(-1) ?? ''

/** What a source renders directly: children, and visible or accessible attributes. */
function printed(source: string): readonly string[] {
  const children = [...source.matchAll(/(?<![=$\w{])\{([A-Za-z_][\w.?!]*)\}/g)].map(([, expression = '']) => expression)
  const attributes = [...source.matchAll(/\b(?:title|aria-label|alt|data-tip)=\{([A-Za-z_][\w.?!]*)\}/g)].map(
    ([, one = '']) => one,
  )
  const spliced = [
    ...source.matchAll(/(?:\s|>)\{`([^`]*)`\}|\b(?:title|aria-label|alt|data-tip)=\{`([^`]*)`\}/g),
  ].flatMap(([, child, attribute]) =>
    [...(child ?? attribute ?? '').matchAll(/\$\{([A-Za-z_][\w.?!]*)\}/g)].map(([, one = '']) => one),
  )
  return [...children, ...attributes, ...spliced].filter((expression) => foreignNames.has(lastName(expression)))
}

it('every name, path, title, note and sentence with foreign text is rendered with these components', () => {
  const raw: string[] = []
  const seen: string[] = []
  for (const folder of ['components', 'app']) {
    for (const file of sources(folder)) {
      const known = ours[file] ?? []
      for (const expression of printed(readFileSync(file, 'utf8'))) {
        if (known.includes(expression)) seen.push(`${file} ${expression}`)
        else raw.push(`${file} prints {${expression}} as it is`)
      }
    }
  }
  expect(raw).toEqual([])
  const listed = Object.entries(ours).flatMap(([file, names]) => names.map((name) => `${file} ${name}`))
  expect(listed.filter((one) => !seen.includes(one))).toEqual([])
})

it('finds a value in a sample', () => {
  expect(printed('<b>{path}</b>')).toEqual(['path'])
  expect(printed('<b title={file.path} aria-label={`File ${file.name}`}>{`at ${one.folder}`}</b>')).toHaveLength(3)
  expect(printed('<ForeignText text={path} />')).toEqual([])
  expect(printed('const { path } = file')).toEqual([])
})
