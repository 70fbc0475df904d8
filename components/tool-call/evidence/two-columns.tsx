import { labelOf } from '@/lib/base/foreign-text/foreign'
import { Fragment } from 'react'
import { drawableText } from '@/components/ui/drawable-text'
import { ForeignText } from '@/components/ui/foreign-text'
import { JsonLeaf } from '@/components/ui/json-tree'
import { codeBox } from '@/components/ui/recipes/code'
import type { JsonObject, JsonValue } from '@/lib/base/json'

type Flat = { readonly [name: string]: string | number | boolean | null }

/** More than that is read as a tree, which shows a page at a time. */
const MAX_ROWS = 20

/** An object of a few texts, numbers and the like, with no object or list in it. */
export function isFlat(value: JsonObject): value is Flat {
  const members: readonly JsonValue[] = Object.values(value)
  const isShort = members.length > 0 && members.length <= MAX_ROWS
  return isShort && members.every((member) => member === null || typeof member !== 'object')
}

/** Such an object as names and values below each other. */
export function TwoColumns({ label, value }: { label: string; value: Flat }) {
  return (
    <div className={codeBox({ pad: 'tree' })} dir="ltr" role="group" aria-label={labelOf(label)}>
      <dl className="grid grid-cols-[fit-content(40%)_minmax(0,1fr)] gap-x-5 gap-y-0.5">
        {Object.entries(value).map(([name, member]) => (
          <Fragment key={name}>
            <dt className="wrap-anywhere whitespace-pre-wrap text-code-key">
              <ForeignText text={drawableText(name)} />
            </dt>
            <dd className="wrap-anywhere whitespace-pre-wrap tabular-nums">
              <JsonLeaf value={member} />
            </dd>
          </Fragment>
        ))}
      </dl>
    </div>
  )
}
