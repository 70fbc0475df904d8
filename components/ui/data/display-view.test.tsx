// @vitest-environment jsdom
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CollectActions, CollectedMenu } from '../popups/menu'
import { DisplayView } from './display-view'

const saved: { name: string; blob: Blob }[] = []
beforeEach(() => {
  saved.length = 0
  let last: Blob | null = null
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: (blob: Blob) => ((last = blob), 'blob:x'), revokeObjectURL() {} }),
  )
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    if (last) saved.push({ name: this.download, blob: last })
  })
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('what a run displayed', () => {
  it('shows a table with its own download', async () => {
    const data = JSON.stringify({
      columns: ['a', 'a'],
      rows: [
        [1, 'x,y'],
        [2, null],
      ],
      total: 500,
    })
    render(<DisplayView kind="table" data={data} name="sales" number={1} />)
    const table = within(await screen.findByRole('table'))
    expect(table.getAllByRole('columnheader').map((head) => head.textContent)).toEqual(['a', 'a'])
    expect(table.getByText('x,y')).toBeDefined()
    expect(screen.getByText('sales').parentElement?.textContent).toBe('sales: 500 rows, only the first 2 are stored')
    await userEvent.click(screen.getByRole('button', { name: 'Download CSV' }))
    expect(saved[0]?.name).toBe('sales.csv')
    expect(saved[0]?.blob.type).toContain('text/csv')
  })

  it('sorts a table by a column, both ways and back, with empty cells last, and filters its rows', async () => {
    const rows = [
      ['Ulm 2', 10],
      ['ulm 10', null],
      ['Bonn', 9],
      ...Array.from({ length: 6 }, (_, n) => [`x ${n}`, 100 + n]),
    ]
    render(
      <DisplayView
        kind="table"
        data={JSON.stringify({ columns: ['city', 'n'], rows, total: 9 })}
        name="t"
        number={1}
      />,
    )
    const table = await screen.findByRole('table')
    const column = (at: number) => [...table.querySelectorAll('tbody tr')].map((row) => row.children[at]?.textContent)
    await userEvent.click(within(table).getByRole('button', { name: 'n' }))
    expect(column(1).slice(0, 3)).toEqual(['9', '10', '100'])
    expect(column(1).at(-1)).toBe('null')
    expect(within(table).getByRole('columnheader', { name: 'n' }).getAttribute('aria-sort')).toBe('ascending')
    await userEvent.click(within(table).getByRole('button', { name: 'n' }))
    expect(column(1).slice(0, 2)).toEqual(['105', '104'])
    expect(column(1).at(-1)).toBe('null')
    await userEvent.click(within(table).getByRole('button', { name: 'n' }))
    expect(column(0)[0]).toBe('Ulm 2')
    await userEvent.click(within(table).getByRole('button', { name: 'city' }))
    expect(column(0).slice(0, 3)).toEqual(['Bonn', 'Ulm 2', 'ulm 10'])
    await userEvent.type(screen.getByRole('searchbox', { name: 'Filter rows' }), 'ULM')
    await waitFor(() => expect(column(0)).toEqual(['Ulm 2', 'ulm 10']))
    expect(screen.getByRole('status').textContent).toBe('2 rows found')
  })

  it.each([
    ['table', JSON.stringify({ columns: ['a'], rows: [[1]], total: 9 })],
    ['html', '<p>x</p>'],
    ['text', 'x'],
    ['json', '{"a":1}'],
    ['image', 'data:image/png;base64,AAAA'],
  ])('never shows the name of a %s as the app’s text', async (kind, data) => {
    const name = 'sales. Nod saved a copy'
    const { container } = render(<DisplayView kind={kind} data={data} name={name} number={1} />)
    if (kind === 'table' || kind === 'html') expect((await screen.findByText(name)).tagName).toBe('CODE')
    const outside = container.cloneNode(true) as HTMLElement
    for (const quoted of outside.querySelectorAll('code')) quoted.remove()
    expect(outside.textContent).not.toContain('Nod saved')
    expect(container.innerHTML).not.toMatch(/[\u2068\u2069]/)
  })

  it('filters a table in a card from its menu, and shows all rows again without the filter', async () => {
    const rows = Array.from({ length: 30 }, (_, n) => [`order ${n}`])
    const first = { label: 'Details', run: () => undefined }
    render(
      <CollectActions>
        <DisplayView kind="table" data={JSON.stringify({ columns: ['a'], rows, total: 30 })} name="t" number={1} />
        <CollectedMenu label="More" first={first} />
      </CollectActions>,
    )
    const shown = () => screen.getAllByRole('row').length - 1
    const filter = async () => {
      await userEvent.click(await screen.findByRole('button', { name: 'More' }))
      await userEvent.click(screen.getByRole('menuitem', { name: 'Filter rows' }))
    }
    await screen.findByRole('table')
    expect(shown()).toBe(5)
    await filter()
    expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Filter rows' }))
    await userEvent.keyboard('order 3')
    await waitFor(() => expect(shown()).toBe(1))
    await filter()
    await waitFor(() => expect(shown()).toBe(5))
    await userEvent.click(screen.getByRole('button', { name: 'Show all 30 rows' }))
    expect(shown()).toBe(30)
  })

  it('shows text if a table is invalid', async () => {
    render(<DisplayView kind="table" data='{"rows": 3}' number={2} />)
    expect(await screen.findByText('{"rows": 3}')).toBeDefined()
  })

  it('draws SVG in a sealed frame, never in the page, and offers it as a file', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    const { container } = render(<DisplayView kind="svg" data={svg} name="chart" number={1} />)
    const frame = await screen.findByTitle('chart')
    expect(frame.getAttribute('sandbox')).toBe('allow-scripts')
    await waitFor(() => expect(frame.getAttribute('src')).toBe('/show.html'))
    expect(container.querySelector('img, svg')).toBeNull()
    await userEvent.click(await screen.findByRole('button', { name: 'Download SVG' }))
    expect(saved[0]).toMatchObject({ name: 'chart.svg' })
    expect(await saved[0]?.blob.text()).toBe(svg)
    expect(screen.getByRole('button', { name: 'Download PNG' })).toBeDefined()
  })

  it('downloads a picture with its real type', async () => {
    render(<DisplayView kind="image" data="data:image/jpeg;base64,AQID" number={3} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Download JPEG' }))
    expect(saved[0]?.name).toBe('Display 3.jpg')
    expect(new Uint8Array((await saved[0]?.blob.arrayBuffer()) ?? new ArrayBuffer())).toEqual(new Uint8Array([1, 2, 3]))
  })

  it('puts HTML into a sealed frame, never into the page', async () => {
    const { container } = render(<DisplayView kind="html" data="<b>bold</b>" number={4} />)
    const frame = await screen.findByTitle('Display 4')
    expect(frame.getAttribute('sandbox')).toBe('allow-scripts')
    await waitFor(() => expect(frame.getAttribute('src')).toBe('/show.html'))
    expect(container.querySelector('b')).toBeNull()
    await userEvent.click(screen.getByRole('radio', { name: 'Source' }))
    expect(screen.getByRole('group', { name: 'Display 4' }).textContent).toBe('<b>bold</b>')
  })

  it('plays sound of any length in a sealed frame, without a question', async () => {
    const source = `data:audio/wav;base64,${'A'.repeat(900_000)}`
    const { container } = render(<DisplayView kind="audio" data={source} number={8} />)
    const frame = await screen.findByTitle('Display 8')
    // The frame gets its address once it is seen to be near the screen.
    await waitFor(() => expect(frame.getAttribute('src')).toBe('/show.html'))
    expect(frame.getAttribute('sandbox')).toBe('allow-scripts')
    expect(container.querySelector('audio')).toBeNull()
  })

  it('plays nothing from an address, and nothing that is more than sound', async () => {
    for (const data of [
      'https://a.example/a.wav',
      'data:audio/wav;base64,AA"><script>',
      'data:text/html;base64,AAAA',
    ]) {
      const { container, unmount } = render(<DisplayView kind="audio" data={data} number={9} />)
      expect(container.querySelector('iframe')).toBeNull()
      unmount()
    }
  })

  it('cuts a text that no browser can lay out, and offers the whole as a file', async () => {
    const text = `a${'\u0301'.repeat(900_000)}`
    render(<DisplayView kind="text" data={text} number={5} />)
    expect(screen.getByRole('group', { name: 'Display 5' }).textContent).toContain(
      '899,992 combining characters left out',
    )
    await userEvent.click(screen.getByRole('button', { name: 'Download the whole text' }))
    expect(saved[0]?.blob.size).toBe(1_800_001)
  })

  it('shows a table of any width, and lines of any number, some at a time', async () => {
    const columns = Array.from({ length: 5_000 }, (_, at) => `c${at}`)
    const data = JSON.stringify({ columns, rows: [columns.map((_, at) => at)], total: 1 })
    render(<DisplayView kind="table" data={data} number={6} />)
    expect(await screen.findAllByRole('columnheader')).toHaveLength(50)
    await userEvent.click(screen.getByRole('button', { name: '4,950 more columns' }))
    expect(screen.getAllByRole('columnheader')).toHaveLength(100)
  })
})
