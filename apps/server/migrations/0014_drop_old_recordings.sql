DELETE FROM "matches";--> statement-breakpoint
DROP INDEX "matches_lobby_id_ended_at_index";--> statement-breakpoint
ALTER TABLE "matches" DROP COLUMN "ended_at";--> statement-breakpoint
ALTER TABLE "matches" DROP COLUMN "final_tick";--> statement-breakpoint
ALTER TABLE "matches" DROP COLUMN "world_hash";--> statement-breakpoint
ALTER TABLE "matches" DROP COLUMN "recording";--> statement-breakpoint
ALTER TABLE "matches" DROP COLUMN "players";