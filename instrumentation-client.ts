import { moveForeignNodes } from '@/lib/client/state/foreign-nodes'

// Next runs this before React hydrates the page.
moveForeignNodes(document.body)
