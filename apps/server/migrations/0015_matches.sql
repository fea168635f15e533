CREATE TABLE "match_secrets" (
	"match_id" uuid PRIMARY KEY NOT NULL,
	"secret" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "matches" ALTER COLUMN "started_at" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "entries" ADD COLUMN "match_id" uuid;--> statement-breakpoint
ALTER TABLE "matches" ADD COLUMN "held_by" text NOT NULL;--> statement-breakpoint
ALTER TABLE "matches" ADD COLUMN "committed_at" timestamp with time zone NOT NULL;--> statement-breakpoint
ALTER TABLE "matches" ADD COLUMN "commitment" text NOT NULL;--> statement-breakpoint
ALTER TABLE "matches" ADD COLUMN "target_slot" numeric(20, 0);--> statement-breakpoint
ALTER TABLE "matches" ADD COLUMN "public_slot" numeric(20, 0);--> statement-breakpoint
ALTER TABLE "matches" ADD COLUMN "blockhash" text;--> statement-breakpoint
ALTER TABLE "matches" ADD COLUMN "rules" text NOT NULL;--> statement-breakpoint
ALTER TABLE "matches" ADD COLUMN "ended_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "matches" ADD COLUMN "is_cut" boolean;--> statement-breakpoint
ALTER TABLE "matches" ADD COLUMN "final_tick" integer;--> statement-breakpoint
ALTER TABLE "matches" ADD COLUMN "final_hash" text;--> statement-breakpoint
ALTER TABLE "matches" ADD COLUMN "spill_after" numeric(20, 0);--> statement-breakpoint
ALTER TABLE "matches" ADD COLUMN "part_count" integer;--> statement-breakpoint
ALTER TABLE "matches" ADD COLUMN "recording_bytes" integer;--> statement-breakpoint
ALTER TABLE "matches" ADD COLUMN "secret" text;--> statement-breakpoint
ALTER TABLE "match_secrets" ADD CONSTRAINT "match_secrets_match_id_matches_id_fk" FOREIGN KEY ("match_id") REFERENCES "public"."matches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entries" ADD CONSTRAINT "entries_match_id_matches_id_fk" FOREIGN KEY ("match_id") REFERENCES "public"."matches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "entries_of_match" ON "entries" USING btree ("match_id") WHERE "entries"."match_id" is not null;--> statement-breakpoint
CREATE INDEX "matches_lobby_id_committed_at_index" ON "matches" USING btree ("lobby_id","committed_at");--> statement-breakpoint
CREATE INDEX "matches_running" ON "matches" USING btree ("held_by") WHERE "matches"."ended_at" is null;