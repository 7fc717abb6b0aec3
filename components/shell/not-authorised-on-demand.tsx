"use client";
import { blank, onDemand } from "#components/ui/on-demand.tsx";

/** The refusal of a screen, which every screen has ready: its code, and the names of rights, are read where one is refused. */
export const NotAuthorised = onDemand(() => import("./not-authorised.tsx").then((module) => module.NotAuthorised), ["access"], blank);
