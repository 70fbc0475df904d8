import { recipe } from '@/components/ui/recipes/recipe'

/** A sentence under a head. */
export const modelsNote = recipe('text-sm text-pretty text-muted', {})
