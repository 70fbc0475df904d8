'use client'

import { lazyPart } from '@/components/ui/page/lazy-part'
import { DiagramSource } from './diagram-source'

/** The drawing code loads with the first diagram. */
export const Diagram = lazyPart(() => import('./drawn-diagram'), {
  look: 'silent',
  loading: (props) => <DiagramSource {...props} />,
  plain: (props) => <DiagramSource {...props} />,
})
