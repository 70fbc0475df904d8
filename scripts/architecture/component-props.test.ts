import { expect, it } from 'vitest'
import { createPropsReader } from './component-props.mjs'
import { crowdedFolders } from './crowded-folders.mjs'

const sources = new Map([
  [
    'a.tsx',
    `import type { Base } from './b'
     import type { ComponentProps } from 'react'
     interface Own extends Base, ComponentProps<'button'> { readonly own: string; run(): void }
     type Both = Own & { readonly more: string }
     export function Wide(props: Both) { return null }
     export const Narrow = ({ one }: Pick<Own, 'one' | 'own'>) => null
     export const Kept = memo(function Kept(props: Omit<Own, 'two'> | { readonly only: 1 }) { return null })
     const Foreign = (props: ComponentProps<'button'>) => null
     function Bare() { return null }
     const notOne = (props: Both) => null
     class Caught extends Component<Own> {}`,
  ],
  ['b.ts', 'export interface Base { readonly one: string; readonly two: string }'],
])
const read = createPropsReader(sources, (_from: string, specifier: string) =>
  specifier === './b' ? 'b.ts' : undefined,
)

it('counts the props that our own sources declare, wherever they stand', () => {
  expect(Object.fromEntries(read('a.tsx').map(({ name, props }) => [name, props.join(' ')]))).toEqual({
    Wide: 'one two own run more',
    Narrow: 'one own',
    Kept: 'one own run',
    Foreign: '',
    Bare: '',
    Caught: 'one two own run',
  })
})

it('counts the files of each folder by itself', () => {
  const files = ['x/a.ts', 'x/b.ts', 'x/y/a.ts', 'x/y/b.ts', 'x/y/c.ts', 'xy/a.ts', 'xy/b.ts', 'xy/c.ts']
  expect(crowdedFolders(files, 'x', 2)).toEqual([{ folder: 'x/y', count: 3 }])
})
