"use client";
import { useState } from "react";

/** True from the first time the condition holds: a part that closes with a movement stays in the page once it was shown. */
export function useWas(condition: boolean): boolean {
  const [was, setWas] = useState(condition);
  if (condition && !was) setWas(true);
  return was || condition;
}
