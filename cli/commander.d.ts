// Commander with types that are inferred from the declarations of options and arguments. Nothing of the package runs.
declare module 'commander' {
  export * from '@commander-js/extra-typings'
}
