'use client'

import { DiagramSource } from './diagram/diagram-source'
import { ForeignName } from '@/components/ui/text/foreign-text'
import { lazyPart } from '@/components/ui/page/lazy-part'
import type { FormulaProps } from './math/drawn-formula'

/** The drawing code loads with the first diagram. */
export const Diagram = lazyPart(() => import('./diagram/drawn-diagram'), {
  look: 'silent',
  loading: (props) => <DiagramSource {...props} />,
  plain: (props) => <DiagramSource {...props} />,
})

const AsWritten = ({ written }: FormulaProps) => <ForeignName text={written} reading="code" />

/** The rendering code and its fonts load with the first formula. */
export const Formula = lazyPart(() => import('./math/drawn-formula'), {
  look: 'silent',
  loading: (props) => <AsWritten {...props} />,
  plain: (props) => <AsWritten {...props} />,
})
