import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { inChinese } from '@/components/ui/testing/in-chinese'
import {
  type BrowserModelConfig,
  type BrowserModelKindId,
  infoOfConfig,
  kindName,
  kindNames,
} from '@/lib/client/browser-models/browser-model'
import { browserModelId } from '@/lib/base/model-id'
import { modelLabel, providerName, shortName } from '@/lib/i18n/model-label'

const demo = { id: 'demo/demo', label: 'Demo (a script)', providerLabel: 'Nod', simulated: true }
const own = (kind: BrowserModelKindId) =>
  infoOfConfig({ id: browserModelId(kind, 'm'), label: 'm', kind } as BrowserModelConfig)

it('names the demo and browser models in the reader’s language, the others as their servers do', () => {
  expect(modelLabel(demo)).toBe('Demo (a script)')
  expect(modelLabel(own('ollama'))).toBe('m (in this browser)')
  expect(modelLabel(own('paste'))).toBe('m')
  inChinese()
  expect([modelLabel(demo), shortName(demo)]).toEqual(['演示模型（脚本）', '演示模型'])
  expect(modelLabel(own('ollama'))).toBe('m（在此浏览器中）')
  expect(modelLabel({ id: 'ollama/m', label: 'qwen3:8b', simulated: false })).toBe('qwen3:8b')
})

it('names a provider: a product by its name, the browser’s own models in words', () => {
  for (const kind of Object.keys(kindNames) as BrowserModelKindId[]) expect(kindName(kind)).toBe(kindNames[kind])
  expect(providerName({ id: 'ollama/m', providerLabel: 'Ollama' })).toBe('Ollama')
  inChinese()
  expect(providerName(own('chrome'))).toBe('此浏览器')
  expect(kindName('openai-compatible')).toBe('你的服务器')
  expect([kindName('ollama'), kindName('lm-studio')]).toEqual(['Ollama', 'LM Studio'])
})

it('no list of models shows the server’s raw names', () => {
  const root = path.resolve(import.meta.dirname, '../..')
  const raw = /\b(?:models|listed)\b[^\n;]{0,20}\.map\(\(\{[^}]*\blabel\b/
  expect(raw.test('...(models?.models ?? []).map(({ id, label }) => ({ value: id, label })),')).toBe(true)
  const files = globSync('{components,app}/**/*.{ts,tsx}', { cwd: root }).filter((file) => !file.includes('.test.'))
  expect(files.filter((file) => raw.test(readFileSync(path.join(root, file), 'utf8')))).toEqual([])
})
