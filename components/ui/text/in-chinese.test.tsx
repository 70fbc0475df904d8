// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PartNotLoaded } from '@/lib/i18n/load-part'
import { CodeBlock } from '../code/code-block'
import { ConsoleLines } from '../code/console-lines'
import { CopyButton } from '../controls/copy-button'
import { DataTable, CutText } from '../data/data-table'
import { DiffView } from '../code/diff-view'
import DisplayHtml from '../data/display-html'
import DisplayTable from '../data/display-table'
import { drawableText } from './drawable-text'
import { PlainText } from './plain-text'
import { ForeignMarkup } from '../foreign/sealed-frame'
import { ForeignText } from './foreign-text'
import { JsonTree } from '../code/json-tree'
import { PageFailed } from '../page/page-failed'
import { PageIsOld, PartFailure } from '../page/part-failure'
import PictureDownloads from '../data/picture-downloads'
import { englishIn, speakChinese } from '../testing/in-chinese'

vi.mock('../code/highlight', () => ({ highlightLines: () => Promise.resolve(null) }))

let goBack = () => {}
beforeEach(() => {
  goBack = speakChinese()
})
afterEach(() => {
  goBack()
  cleanup()
})

const nothing = () => {}
const rows = Array.from({ length: 60 }, (_, row) => Array.from({ length: 60 }, () => row))
const columns = Array.from({ length: 60 }, (_, column) => `c${column}`)
const missing = new PartNotLoaded(null)

describe('the parts of the page in Chinese', () => {
  it.each([
    ['code', () => <CodeBlock label="a" text={'x\n'.repeat(40)} />, '显示全部'],
    ['a line that others end', () => <CodeBlock label="a" text={'x\ry'} language="python" />, 'x'],
    ['a console', () => <ConsoleLines lines={[{ level: 'warn', text: 'a', atMs: 1 }]} />, '警告：'],
    ['a long text', () => <PlainText text={'字'.repeat(50_000)} />, '再显示 20,000 个字符（还剩 30,000 个）'],
    ['a text that was cut', () => <CutText label="a" text={'字'.repeat(30_000)} />, '下载完整文本'],
    ['rows and columns', () => <DataTable label="a" columns={columns} rows={rows} />, '还有 10 行还有 10 列'],
    ['a tree', () => <JsonTree label="a" value={{ l: [1, 2] }} />, '对象，1 个键'],
    ['a change', () => <DiffView label="a" lines={[{ kind: 'gap', count: 3 }]} />, '3 行未更改'],
    [
      'a table',
      () => <DisplayTable label="a" data={JSON.stringify({ columns: ['b'], rows: [[1]], total: 2 })} />,
      'a：2 行',
    ],
    ['a page', () => <DisplayHtml label="a" html="<p>b</p>" />, '源代码'],
    [
      'what is long to draw',
      () => <ForeignMarkup label="a" markup={{ kind: 'svg', text: ' '.repeat(600_001) }} height="content" />,
      '尚未绘制：内容很长',
    ],
    [
      'a picture',
      () => <PictureDownloads name="a" picture={{ kind: 'raster', dataUrl: 'data:image/png;base64,' }} />,
      '下载 PNG',
    ],
    ['what does not show', () => <ForeignText text={'a\u202eb'} />, 'U+202E'],
    ['a button', () => <CopyButton text={() => ''} />, '复制'],
    ['a part that broke', () => <PartFailure what="日志" error={null} onAgain={nothing} />, '日志出错了。'],
    [
      'one that did not come',
      () => <PartFailure what="日志" error={missing} onAgain={nothing} onClose={nothing} />,
      '关闭',
    ],
    [
      'one of an older page',
      () => (
        <PageIsOld value>
          <PartFailure what="日志" error={missing} onAgain={nothing} />
        </PageIsOld>
      ),
      'Nod 已更新',
    ],
    ['a page that broke', () => <PageFailed onAgain={nothing} />, '页面出错了'],
  ])('%s', (_, part, words) => {
    const { container } = render(part())
    expect(container.textContent).toContain(words)
    expect(englishIn(container)).toEqual([])
  })

  it('what is left out of a text', () => {
    expect(drawableText('x'.repeat(20_005))).toBe(`${'x'.repeat(20_000)}… ⟨此行略去 5 个字符⟩`)
  })
})
