type Count = (text: string) => number

export const loadO200k = shared(async () => {
  const [{ default: tokens }, { tokenCount }, { vocabularyOf }, { endOfO200k }] = await Promise.all([
    import('gpt-tokenizer/bpeRanks/o200k_base'),
    import('./token-count.js'),
    import('./vocabulary.js'),
    import('./split.js'),
  ])
  return tokenCount(vocabularyOf(tokens), endOfO200k)
})

export const loadCl100k = shared(async () => {
  const [{ default: tokens }, { tokenCount }, { vocabularyOf }, { endOfCl100k }] = await Promise.all([
    import('gpt-tokenizer/bpeRanks/cl100k_base'),
    import('./token-count.js'),
    import('./vocabulary.js'),
    import('./split.js'),
  ])
  return tokenCount(vocabularyOf(tokens), endOfCl100k)
})

/** One load for all who ask; one that failed can be tried again. */
function shared(load: () => Promise<Count>): () => Promise<Count> {
  let loading: Promise<Count> | undefined
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}
