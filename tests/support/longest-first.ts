import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from "vitest/node";

/**
 * Begins with the files named, in this order. A file that takes long is not seen by its size: begun last, it would keep one lane busy alone.
 * @param longest ends of their paths
 */
export function longestFirst(longest: readonly string[]): TestSequencerConstructor {
  const placeOf = ({ moduleId }: TestSpecification) => {
    const place = longest.findIndex((name) => moduleId.endsWith(`/${name}`));
    return place < 0 ? longest.length : place;
  };
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      return (await super.sort(files)).sort((left, right) => placeOf(left) - placeOf(right));
    }
  };
}
